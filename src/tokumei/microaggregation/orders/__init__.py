"""Orders of all records: paths from record to nearest record, curves, axes."""

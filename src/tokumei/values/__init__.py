"""What a table's cells are: columns, tables, categories, hierarchies, missing cells."""

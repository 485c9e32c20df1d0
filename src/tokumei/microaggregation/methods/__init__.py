"""Groups from records: grown around extreme records, halved, or cut from an order."""

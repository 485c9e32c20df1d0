"""Masking by microaggregation: cells, coordinates, groups, published cells."""

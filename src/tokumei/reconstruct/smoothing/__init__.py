"""Smooth estimates on cells: orders and strengths of smoothing, weighed by evidence."""

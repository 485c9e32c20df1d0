"""Smooth estimates on cells: evidence-weighted averages under a smoothness prior."""

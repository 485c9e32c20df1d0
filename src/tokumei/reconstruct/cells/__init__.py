"""Distributions on cells: transitions of the channels, iterative Bayes, supports."""

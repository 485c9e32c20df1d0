"""Mixtures of normal distributions behind Laplace noise."""

"""Perturbation by noise, and distributions from perturbed files."""

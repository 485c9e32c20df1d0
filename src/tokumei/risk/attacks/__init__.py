"""Attacks on releases: one file an attack, each with what its adversary knows."""

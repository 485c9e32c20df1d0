"""The gate: independent questions to what was written. It fails closed."""

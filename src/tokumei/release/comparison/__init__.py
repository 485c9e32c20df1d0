"""Settings side by side: which k, which method."""

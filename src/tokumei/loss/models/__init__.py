"""Loss as models see it: targets told from masked inputs instead of the original ones."""

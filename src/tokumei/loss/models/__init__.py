"""Loss as models see it: targets predicted from masked inputs instead of the original ones."""

"""Two tables compared by every measure that fits their columns."""

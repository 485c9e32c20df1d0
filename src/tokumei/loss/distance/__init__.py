"""Loss by distances: information amounts and what masking left of them."""

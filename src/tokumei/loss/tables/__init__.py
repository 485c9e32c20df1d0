"""Loss of tables of counts: association, entropy, contingency, the usual statistics."""

"""The report of a release: one page in HTML for the person who decides, rendered from its audit."""

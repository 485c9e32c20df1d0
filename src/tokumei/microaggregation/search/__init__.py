"""Groups of lower loss, within rules, strata and households."""

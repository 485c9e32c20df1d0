"""Loss of groups: sums of squares, discernibility, classification, certainty."""

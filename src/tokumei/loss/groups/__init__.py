"""Loss that groups tell: sums of squares, discernibility, classification, certainty."""

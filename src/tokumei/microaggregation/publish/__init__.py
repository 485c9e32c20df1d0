"""What is published of a group: a mean, a median, a mode, an interval, a set."""

"""How a peer says no."""


class Declined(Exception):
    """The peer cannot do this size; the message says why."""

"""A hierarchy of few nodes."""

TREE = {
    "a11": "a1", "a12": "a1", "a21": "a2", "a22": "a2", "a23": "a2", "a1": "a", "a2": "a",
    "b1": "b", "a": None, "b": "b",
}  # fmt: skip
NODES = ["a11", "a12", "a21", "a22", "a23", "a1", "a2", "a", "b1", "b"]

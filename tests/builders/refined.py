"""Groups that are refined until they stay as they are."""

from tokumei import _check
from tokumei.microaggregation.search.search import search


def settled(table, start, k, task, cost):
    """A record is asked again when its own group changes, not when another one does.

    So one search may leave a move that a later change has made possible; the next one asks all.
    """
    run = _check.run(1)
    labels = search(table, start, k, task, run, None)
    while True:
        again = search(table, labels, k, task, run, None)
        if not cost(again) < cost(labels):
            return labels
        labels = again

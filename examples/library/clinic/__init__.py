import tokumei as tk
from clinic.bands import merged


def published(visits, bands, k=5):
    """Bands of age that nobody is alone in, and the means of k visits that are alike."""
    return merged(bands, k), tk.microaggregate(visits, k, n_threads=1)

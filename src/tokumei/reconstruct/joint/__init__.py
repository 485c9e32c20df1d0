"""Several attributes behind noise: covariances, tables, mixtures."""

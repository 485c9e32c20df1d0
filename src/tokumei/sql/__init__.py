"""Functions of whole relations of DuckDB, with the same bits as those of arrays."""

from tokumei.sql.relations import microaggregate, partition

__all__ = ["microaggregate", "partition"]

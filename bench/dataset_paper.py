"""What larger tables would take on more machines: measured for a row and a core, and multiplied.

Assumptions, each of which a cluster can break: work grows with rows and is shared evenly by cores;
each record crosses the network four times (read, routed, masked, scattered), through shared storage
that gives every machine NETWORK bytes a second at once; planning and routing read the source, which
is as large as its cells; the groups of the second round, at most 2^20 records, stay one task.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

NETWORK = 1.25e9  # bytes a second for one machine: 10 Gbit/s
CORES = 16  # of a machine
CROSSINGS = {"planning": 1, "routing": 2, "masking": 2, "scattering": 2}  # of a record's bytes
MACHINES = ((1e9, 1), (1e10, 4), (1e11, 16), (1e12, 64))
TASK_ROWS, PIECE_ROWS = 1 << 22, 1 << 22


def lines(found: dict[str, Any], rows: float, threads: int) -> Iterator[str]:
    """What is printed of a run that was measured."""
    row_bytes = found["row_bytes"]
    spent = found["run"]["processor"]
    phases = {name: spent[name] / rows for name in CROSSINGS}
    yield f"measured with {rows:,.0f} rows of {row_bytes:.0f} bytes on {threads} cores:"
    yield f"  {'phase':<12}{'CPU us a row and core':>24}{'bytes a row':>14}"
    for name, seconds in phases.items():
        yield f"  {name:<12}{1e6 * seconds:>24.3f}{CROSSINGS[name] * row_bytes:>14.0f}"
    yield f"on machines of {CORES} cores and {8 * NETWORK / 1e9:.0f} Gbit/s:"
    names = ("CPU h", "network h", "h at least", "block files")
    yield f"  {'rows':>8}{'machines':>10}" + "".join(f"{name:>14}" for name in names)
    for size, machines in MACHINES:
        cpu = sum(phases.values()) * size / (machines * CORES) / 3600
        network = sum(CROSSINGS.values()) * row_bytes * size / (machines * NETWORK) / 3600
        files = (size / PIECE_ROWS) * (size / TASK_ROWS)  # a block file for each piece and shelf
        told = (cpu, network, max(cpu, network), files)
        yield f"  {size:>8.0e}{machines:>10}" + "".join(f"{each:>14.3g}" for each in told)

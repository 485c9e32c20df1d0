"""From a perturbed file and its audit to the distributions behind it."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tokumei.noise import Channel, Laplace, RandomizedResponse, SquareWave, laplace
from tokumei.noise.randomized_response import randomized_response
from tokumei.noise.scattering import cell_edges
from tokumei.reconstruct.categories import Categories
from tokumei.release.errors import InputError, as_input_error, named
from tokumei.release.io import delimited, files, frames, reading, staging
from tokumei.release.perturb.undoing import Found, Noise
from tokumei.release.sections import Source
from tokumei.release.verify import verify

SCATTERING = {kind.mechanism: kind for kind in (RandomizedResponse, SquareWave)}


def reconstruct_file(
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    *,
    columns: Sequence[str] = (),
    audit: str | os.PathLike[str] | None = None,
    channels: Mapping[str, Channel] | None = None,
    atoms: Mapping[str, Sequence[float]] | None = None,
    cells: Mapping[str, int] | None = None,
    plot: str | os.PathLike[str] | None = None,
    delimiter: str | None = None,
    n_threads: int | None = None,
) -> Found:
    """Reconstruct the distributions of the true values behind a perturbed file.

    Of numbers some of which are missing, the distribution is that of those that are there; how many
    are missing is an entry of its own, "NAME is missing". Of categories it is their shares.

    Parameters
    ----------
    source : path
        A file that `perturb_file` wrote.
    target : path
        Where the cells go: .csv (a row a cell) or .json.
    columns : sequence of str
        The columns to reconstruct; by default all but categories under a square wave, whose order
        no audit says.
    audit : path, optional
        The audit that says how each column was perturbed; ``SOURCE.audit.json`` by default.
    channels : mapping, optional
        The channels of columns, instead of an audit.
    atoms, cells : mapping, optional
        For columns: values that many records share; the number of cells.
    plot : path, optional
        Where a drawing goes, of a kind that matplotlib knows by its ending.
    delimiter : str, optional
        What separates the cells of a CSV source; found in its header line by default.
    n_threads : int, optional
        Number of threads; all that the process may use by default.

    Returns
    -------
    dict
        For each column a `tokumei.reconstruct.Distribution`, or `Categories`; `says_nothing` is
        true of those for which there are too few records to say anything of their shape.

    Raises
    ------
    InputError
        A file or an argument cannot be used.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import tokumei as tk
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "in.csv").write_text("age\\n" + "\\n".join(["30", "41", "38"] * 200))
    >>> age = tk.noise.Attribute(17, 90, integer=True)
    >>> released, cells = folder / "out.csv", folder / "ages.json"
    >>> _ = tk.release.perturb_file(folder / "in.csv", released, k=2, attributes={"age": age})
    >>> found = tk.release.reconstruct_file(released, cells)
    >>> len(found["age"].probabilities), cells.exists()
    (74, True)
    """
    source, target = Path(source), Path(target)
    if target.suffix.lower() not in (".csv", ".json"):
        msg = f"{target.name}: the name must end in .csv or .json"
        raise InputError(msg)
    for path in (target,) if plot is None else (target, Path(plot)):
        if path.exists() and source.exists() and path.samefile(source):
            msg = f"source and target are the same file, {source.name}"
            raise InputError(msg)
    known = noise_of(source, audit) if channels is None else _plain(channels)
    names = list(columns) or list(known)
    atoms, cells = atoms or {}, cells or {}
    for given in (names, list(atoms), list(cells)):
        unknown = [name for name in given if name not in known or name not in names]
        if unknown:
            msg = f"{named(unknown)}: no bounds and noise are known to reconstruct from"
            raise InputError(msg)
    if not names:
        msg = "no column has bounds and noise to reconstruct from"
        raise InputError(msg)
    reading.regular(source)
    with staging.staging(target) as folder:
        csv = files.layout_of(source).format == "csv"
        how = Source(delimiter=delimited.delimiter_of(delimiter), header=True if csv else None)
        read = files.read(source, folder, how)
        table = frames.frame_of(read[0])
        there = [name for name in names if name in table.columns]
        coded = {name for name in there if known[name].categories}
        table, _ = frames.in_one_notation(table, there, how, coded)
        found: Found = {}
        for name in names:
            try:
                found |= known[name].undone(
                    table, name, atoms.get(name, ()), cells.get(name), n_threads
                )
            except InputError:
                raise
            except (TypeError, ValueError) as error:  # these messages are the library's own
                msg = f"column {name!r}: {error}"
                raise InputError(msg) from None
        text = _as_json(found) if target.suffix.lower() == ".json" else _as_csv(found)
        staged = folder / "cells"
        with staging.created(staged, target) as file:
            file.write(text.encode("utf-8"))
        if plot is not None:
            _draw(found, folder, Path(plot))
        with as_input_error(f"cannot write {target.name}"):
            staged.replace(target)
    return found


def _plain(channels: Mapping[str, Channel]) -> dict[str, Noise]:
    return {name: Noise(channel) for name, channel in channels.items()}


def channels_of(source: Path, audit: str | os.PathLike[str] | None = None) -> dict[str, Channel]:
    """The channels of the values of a perturbed file's columns, from its audit."""
    return {name: one.channel for name, one in noise_of(source, audit).items()}


def noise_of(source: Path, audit: str | os.PathLike[str] | None = None) -> dict[str, Noise]:
    """What the columns of a perturbed file went through, from its audit."""
    record: Any = verify(source, audit=audit)
    with as_input_error(f"the audit of {source.name} does not say how it was perturbed"):
        columns = record["achieved"]["columns"]
        public = record["job"]["steps"][-1]["attributes"]
        made = {name: _noise(how, public[name]) for name, how in columns.items()}
    return {name: one for name, one in made.items() if one is not None}


def _noise(how: Mapping[str, Any], public: Mapping[str, Any]) -> Noise | None:
    """What a column went through; None where the audit does not say enough."""
    missing = how["missing"] == "category"
    count = how.get("categories", 0)
    if count:
        if how["mechanism"] != RandomizedResponse.mechanism:
            return None  # neighbours are exchanged, and who is whose neighbour is not said
        last = float(count + missing - 1)
        edges = cell_edges(0.0, last, None, integer=True)
        near = round(how["near_probability"] * 2**64)
        channel = RandomizedResponse(0.0, last, True, edges, 0, near)
        return Noise(channel, categories=count, missing=missing)
    if how.get("lower") is None:
        return None
    flag = None
    if missing:
        flag = randomized_response(how["missing_epsilon"], lower=0, upper=1, integer=True)
    return Noise(_channel(how, public), flag)


def _channel(how: Mapping[str, Any], public: Mapping[str, Any]) -> Channel:
    lower, upper, integer = float(how["lower"]), float(how["upper"]), bool(how["integer"])
    if how["mechanism"] == Laplace.mechanism:
        lattice = None if integer else float(how["lattice"])
        return laplace(how["scale"], lower=lower, upper=upper, integer=integer, lattice=lattice)
    given = public.get("cells")
    edges = cell_edges(lower, upper, how["cells"] if given is None else given, integer=integer)
    near = round(how["near_probability"] * (2 * how["reach"] + 1) * 2**64)
    return SCATTERING[how["mechanism"]](lower, upper, integer, edges, how["reach"], near)


def _as_json(found: Found) -> str:
    cells = {name: one.to_dict() for name, one in found.items()}
    return json.dumps(cells, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _as_csv(found: Found) -> str:
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(["column", "from", "to", "probability", "lower_band", "upper_band"])
    for name, one in found.items():
        if isinstance(one, Categories):
            shares = np.stack([one.probabilities, one.lower_band, one.upper_band], axis=1).tolist()
            for each, row in zip(one.names, shares, strict=True):
                rows.writerow([name, each, each, *map(repr, row)])
            continue
        parts = one.cells[:-1], one.cells[1:], one.probabilities, one.lower_band, one.upper_band
        rows.writerows([name, *map(repr, row)] for row in np.stack(parts, axis=1).tolist())
    return text.getvalue()


def _draw(found: Found, folder: Path, target: Path) -> None:
    """One plot for each column, one below the other."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.4, 3.2 * len(found)), layout="constrained")
    for axes, (name, one) in zip(
        figure.subplots(len(found), squeeze=False)[:, 0], found.items(), strict=True
    ):
        one.plot(axes=axes, title=name)
    staged = folder / f"plot{target.suffix}"
    with as_input_error(f"cannot write {target.name}"):
        figure.savefig(staged, metadata={"Date": None} if target.suffix == ".svg" else None)
        staged.replace(target)

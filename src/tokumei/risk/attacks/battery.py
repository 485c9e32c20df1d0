"""Every attack that what is given allows, one after another."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tokumei._check import Labels
from tokumei.risk.attacks.background_knowledge import background_knowledge
from tokumei.risk.attacks.differencing import differencing
from tokumei.risk.attacks.distance_linkage import distance_linkage
from tokumei.risk.attacks.downcoding import downcoding, members_of
from tokumei.risk.attacks.homogeneity import homogeneity
from tokumei.risk.attacks.inference import inference
from tokumei.risk.attacks.intersection import intersection
from tokumei.risk.attacks.linkability import linkability, two_sides
from tokumei.risk.attacks.missing_cells import missing_cells
from tokumei.risk.attacks.outcome import Attack
from tokumei.risk.attacks.records import Records, interval_of
from tokumei.risk.attacks.replay import replay
from tokumei.risk.attacks.row_order import row_order
from tokumei.risk.attacks.singling_out import singling_out
from tokumei.risk.attacks.tight_ends import tight_ends
from tokumei.risk.attacks.trailing_bits import trailing_bits
from tokumei.risk.attacks.unmasked import unmasked
from tokumei.risk.classes import classes_of, known_codes
from tokumei.values.column import Column


@dataclass(frozen=True, eq=False)
class Battery:
    """What there is to attack: records of each table, and of the release its columns.

    `rows` are the originals of the released records, where whoever asks knows them; `replayed` is
    what the method makes of the original again.
    """

    original: Records
    release: Records
    control: Records | None
    earlier: Records | None
    columns: Mapping[Any, Column]
    known: Sequence[Hashable]
    secrets: Sequence[Hashable]
    rows: Labels | None
    before: Mapping[Any, Column]
    replayed: Records | None = None

    def attacks(self, *, attempts: int, columns: int, chance: np.random.Generator) -> list[Attack]:
        """All attacks, in the order of WP216 and then by what they need."""
        tries: dict[str, Any] = {"attacks": attempts, "chance": chance}
        own, theirs = self.original.only(self.known), self.release.only(self.known)
        others = None if self.control is None else self.control.only(self.known)
        passed = [name for name in self.known if _same(self.original, self.release, name)]
        masked = [name for name in self.known if name not in passed]
        found = [
            singling_out(own, theirs, others, columns=width, **tries)
            for width in dict.fromkeys((1, min(columns, len(self.known))))
        ]
        if len(self.known) > 1:
            sides = two_sides(masked, passed)
            found.append(linkability(own, theirs, others, sides, **tries))
        for secret in self.secrets:
            found += self._on_secret(secret, tries)
        found.append(unmasked({name: self.columns[name] for name in passed}))
        found.append(row_order(own, theirs, chance=chance))
        if self.rows is not None:
            found.append(distance_linkage(own, theirs, self.rows, **tries))
            if self.replayed is not None:
                found.append(replay(self.replayed.only(self.known), theirs, self.rows))
            found += self._on_sets(theirs, masked, self.rows)
            found += self._on_classes(own, theirs, masked, self.rows, tries)
        return found

    def _on_secret(self, secret: Hashable, tries: Mapping[str, Any]) -> list[Attack]:
        known, control = self.known, self.control
        labels = classes_of({name: self.columns[name] for name in known}).labels
        codes = known_codes(self.columns[secret]) + 1
        found = [
            inference(self.original, self.release, control, known, secret, **tries),
            homogeneity(labels, codes, secret),
            background_knowledge(labels, codes, secret),
        ]
        if self.earlier is not None:
            found.append(
                intersection(
                    self.original, self.release, self.earlier, control, known, secret, **tries
                )
            )
        return found

    def _on_sets(self, theirs: Records, masked: Sequence[Hashable], rows: Labels) -> list[Attack]:
        """What is told of masked categories by the sets that are published."""
        found = []
        classes, _ = theirs.alike(list(theirs.cells))
        for name in masked:
            column, before = self.columns[name], self.before[name]
            texts = [str(value) for value in column.categories] if column.is_text() else []
            if not any(text.startswith("{") for text in texts) or (column.codes < 0).any():
                continue
            sets = [members_of(text) for text in texts]
            words = [*map(str, before.categories), ""]
            truth = [words[code] for code in before.codes[rows].tolist()]
            found.append(downcoding(classes, [sets[c] for c in column.codes], truth, name))
        return found

    def _on_classes(
        self,
        own: Records,
        theirs: Records,
        masked: Sequence[Hashable],
        rows: Labels,
        tries: Mapping[str, Any],
    ) -> list[Attack]:
        """What is told of masked numbers: by means, or by the ends of intervals."""
        found = []
        for name in masked:
            if not own.numeric(name):
                continue
            column = self.columns[name]
            if not (column.is_text() and "[" in "".join(map(str, column.categories))):
                found.append(differencing(own, theirs, rows, name))
                if np.isnan(own.cells[name]).any():
                    found.append(missing_cells(own, theirs, rows, name))
                found.append(trailing_bits(own, theirs, rows, name, **tries))
                continue
            ends = [interval_of(text) or (np.nan, np.nan) for text in column.categories]
            low, high = np.array([*ends, (np.nan, np.nan)])[column.codes].T
            found.append(tight_ends(low, high, own.cells[name][rows], name))
        return found


def _same(original: Records, release: Records, name: Hashable) -> bool:
    """Whether a column was released as it was: the same values, each as often, in any order."""
    one, other = original.cells[name], release.cells[name]
    return len(one) == len(other) and np.array_equal(np.sort(one), np.sort(other), equal_nan=True)

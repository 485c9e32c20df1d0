"""One table masked in several ways: what each costs, what risk it leaves, and which to take."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from tokumei import risk
from tokumei.microaggregation.options import Method
from tokumei.privacy import KAnonymity
from tokumei.release import pipeline
from tokumei.release.errors import InputError, named
from tokumei.release.io.frames import Frame, columns_of
from tokumei.release.job import Job
from tokumei.release.mask.step import Microaggregate


@dataclass(frozen=True)
class Setting:
    """One way to mask the table, and what came of it.

    Attributes
    ----------
    method, k : str, int
        What was asked for.
    loss : float
        SSE/SST of the quasi-identifiers in percent.
    changed : float
        The share of their cells that changed.
    ild : float
        The information loss of the columns that have one, on average.
    links : float
        The share of links between records and their release that are right, by chance among those
        that look alike: what a marketer gets.
    smallest : int
        The records of the smallest class.
    columns : dict
        What each column lost.
    """

    method: str
    k: int
    loss: float
    changed: float
    ild: float
    links: float
    smallest: int
    columns: dict[str, dict[str, Any]]


@dataclass(frozen=True)
class Settings:
    """Settings side by side, the one that is recommended, and why."""

    settings: tuple[Setting, ...]
    recommended: Setting
    reason: str

    def __str__(self) -> str:
        lines = [
            f"{'method':<14} {'k':>4} {'loss %':>8} {'changed %':>10} {'ILD %':>7} {'links %':>8}"
        ]
        for one in self.settings:
            mark = " <" if one is self.recommended else ""
            lines.append(
                f"{one.method:<14} {one.k:>4} {one.loss:>8.3g} {100 * one.changed:>10.1f} "
                f"{100 * one.ild:>7.3g} {100 * one.links:>8.3g}{mark}"
            )
        return "\n".join(
            [
                *lines,
                "",
                f"take     {self.recommended.method}, k = {self.recommended.k}: {self.reason}",
                "loss     squared changes of the quasi-identifiers over their variance",
                "ILD      share of the information (distances of all pairs) that is gone",
                "links    share of right links where all that look alike are guessed among",
            ]
        )

    def to_dict(self) -> dict[str, Any]:
        """The settings as JSON can hold them."""
        best = self.recommended
        return {
            "settings": [asdict(one) for one in self.settings],
            "recommended": {"method": best.method, "k": best.k, "reason": self.reason},
        }

    def plot(self, path: Path) -> None:
        """Draw the map of risk and loss, a line a method, into a file by its ending."""
        from matplotlib.figure import Figure

        figure = Figure(figsize=(6, 4), layout="constrained")
        axes = figure.subplots()
        for method in dict.fromkeys(one.method for one in self.settings):
            ours = [one for one in self.settings if one.method == method]
            axes.plot([o.loss for o in ours], [100 / o.k for o in ours], "o-", label=method)
            for one in ours:
                place = (one.loss, 100 / one.k)
                axes.annotate(f"k = {one.k}", place, (4, 4), textcoords="offset points")
        best = self.recommended
        axes.plot([best.loss], [100 / best.k], "o", ms=14, mfc="none", mec="black")
        axes.set(xlabel="loss: SSE/SST in %", ylabel="risk: largest chance of a right link in %")
        axes.set_ylim(bottom=0)
        axes.set_xlim(left=0)
        axes.legend(frameon=False)
        figure.savefig(path)


def settings_of(
    job: Job,
    frame: Frame,
    ks: Sequence[int],
    methods: Sequence[Method],
    *,
    most_loss: float | None,
    tell: Callable[[float], object],
) -> Settings:
    """Mask a table with every k by every method, and compare."""
    asked = [(method, k) for method in methods for k in ks]
    found = []
    for number, (method, k) in enumerate(asked):
        found.append(_setting(job, frame, method, k))
        tell((number + 1) / len(asked))
    best, reason = recommended(found, most_loss)
    return Settings(tuple(found), best, reason)


def _setting(job: Job, frame: Frame, method: Method, k: int) -> Setting:
    """The table by one method with one k; nothing of it is released."""
    steps = tuple(
        replace(step, method=method, bound=None) if isinstance(step, Microaggregate) else step
        for step in job.steps
    )
    privacy = tuple(KAnonymity(k) if isinstance(one, KAnonymity) else one for one in job.privacy)
    made = pipeline.make(replace(job, steps=steps, privacy=privacy), frame, {})
    quasi = made.roles.of("quasi")
    columns = made.losses()
    cells = columns_of(made.drafts[-1].frame, quasi)
    sizes = risk.class_sizes({name: cells.column(name) for name in quasi})
    ild = [one["ild"] for one in columns.values() if "ild" in one]
    achieved = made.achieved()
    return Setting(
        method=method,
        k=k,
        loss=float(achieved["loss_percent"]),
        changed=sum(one["changed"] for one in columns.values()) / len(columns),
        ild=sum(ild) / max(len(ild), 1),
        links=sizes.classes / sizes.records,
        smallest=sizes.smallest,
        columns=columns,
    )


def recommended(found: Sequence[Setting], most_loss: float | None) -> tuple[Setting, str]:
    """The setting to take: the largest k within a loss; without one the bend of the map.

    Of each k the method that loses least stands for it. The bend is the setting nearest to no risk
    and no loss, both as shares of the largest there are.
    """
    best: dict[int, Setting] = {}
    for one in found:
        if one.k not in best or one.loss < best[one.k].loss:
            best[one.k] = one
    if most_loss is not None:
        within = [one for one in best.values() if one.loss <= most_loss]
        if not within:
            least = min(best.values(), key=lambda one: one.loss)
            return least, f"none loses {most_loss:g} % or less; this one loses least"
        return max(
            within, key=lambda one: one.k
        ), f"the largest k that loses {most_loss:g} % or less"
    if len(best) == 1:
        return next(iter(best.values())), "the method that loses least"
    risk_of = {k: min(best) / k for k in best}
    largest = max(one.loss for one in best.values()) or 1.0
    k = min(best, key=lambda k: (risk_of[k] ** 2 + (best[k].loss / largest) ** 2, -k))
    return best[k], "where the map bends: less risk costs more from here on"


def check(ks: Sequence[int], methods: Sequence[Method], job: Job) -> None:
    """Refuse what cannot be compared."""
    if not ks or not methods:
        msg = "name at least one k and one method to compare"
        raise InputError(msg)
    others = [step.do for step in job.steps if not isinstance(step, Microaggregate)]
    if len(others) == len(job.steps):
        msg = f"compare is for jobs that microaggregate; this one has {named(others, 'step')}"
        raise InputError(msg)

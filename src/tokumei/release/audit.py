"""The audit of a release: what was asked for, what was reached, every check and its verdict.

There are two. The record is private: it has the hashes of input and job, and every figure. The
audit can be published: it names columns and counts records, and holds no value of the data, no
hash that a guess could be held against, no path, no host and no time. It has the hash of the
release, and is of no other file.
"""

from __future__ import annotations

import copy
import hashlib
import json
import platform
from collections.abc import Mapping, Sequence
from decimal import ROUND_CEILING, Context, Decimal
from typing import Any, cast

import duckdb
import narwhals
import numpy as np
import pyarrow as pa

import tokumei
from tokumei.machine import LEVELS
from tokumei.release.errors import Refused
from tokumei.release.gate.answers import Check
from tokumei.release.job import Job, shown_of
from tokumei.release.release import Audit
from tokumei.release.release import Check as Verdict
from tokumei.release.schema import Schema
from tokumei.values.notation import Notation

ROUNDED = {"loss_percent"}
PASSES = ("passed", "accepted")
END = b"\n}\n"  # of every audit
# What is said of a column of noise and would tell the bounds that it follows from.
FROM_BOUNDS = {"scale", "lattice", "near_probability", "cells", "reach"}


def record(
    job: Job,
    roles: Schema,
    source: Mapping[str, Any],
    checks: Sequence[Check],
    *,
    output: dict[str, Any] | None = None,
    achieved: dict[str, Any] | None = None,
) -> Audit:
    """The audit as a dictionary that JSON can hold; `checks` decide its verdict."""
    passed = bool(checks) and all(check.verdict in PASSES for check in checks)
    measured = {name: count for check in checks for name, count in check.measured.items()}
    return {
        "verdict": "released" if passed else "refused",
        "versions": versions(),
        "job": {"sha256": job.sha256, "roles": dict(roles.roles), **shown_of(job)},
        "run": {"threads": job.run.n_threads, "instruction_set": LEVELS[job.run.instruction_set]},
        "random_numbers": job.steps[-1].random_numbers(job.output),
        "input": {**source, "notation": _told(roles.notations)},
        "output": output if passed else None,
        "achieved": achieved and {**measured, **achieved},
        "checks": [_check(check) for check in checks],
    }


def _told(notations: Mapping[str, Notation]) -> dict[str, Any]:
    """How columns that are worked on were written: words taken for missing, decimal commas."""
    return {
        name: {"missing": dict(one.missing), "decimal": "," if one.comma else "."}
        for name, one in notations.items()
    }


def _check(check: Check) -> Verdict:
    shown: Verdict = {
        "check": check.name,
        "verdict": check.verdict,
        "detail": check.detail,
    }
    if check.figures:
        shown["figures"] = {
            name: x if isinstance(x, int) else float(f"{x:.3g}")
            for name, x in check.figures.items()
        }
    if check.columns:
        shown["columns"] = list(check.columns)
    if check.reason:
        shown["reason"] = check.reason
    return shown


def public(record: Audit) -> Audit:
    """The audit without what helps an attacker: hashes to guess against, figures from the data.

    Losses are rounded; a scale that follows from bounds of the data is not said.
    """
    shown = copy.deepcopy(record)
    for name in ("sha256", "notation"):
        shown["input"].pop(name, None)
    shown["job"].pop("sha256", None)
    shown["run"].pop("seconds", None)
    achieved = shown["achieved"] or {}
    for name in ("histograms", "linkage"):
        achieved.pop(name, None)
    for exchanged in achieved.get("exchanged", {}).values():
        exchanged.pop("rarest", None)
    for lost in achieved.get("losses", {}).values():
        lost.update({n: float(f"{x:.3g}") for n, x in lost.items() if isinstance(x, float)})
    for name, value in achieved.items():
        if name in ROUNDED and isinstance(value, float):
            achieved[name] = float(f"{value:.3g}")
    if achieved.get("above_least_percent"):
        achieved["above_least_percent"] = rounded_up(achieved["above_least_percent"])
    for column in achieved.get("columns", {}).values():
        if "lower" in column and column["lower"] is None and column.get("upper") is None:
            for name in FROM_BOUNDS & column.keys():
                del column[name]
    return shown


def rounded_up(percent: float) -> float:
    """Three digits of a number that is promised not to be exceeded: no lower than it."""
    return float(Context(3, ROUND_CEILING).create_decimal(Decimal(percent)))


def failures(audit: Audit) -> str:
    """The failed checks of an audit in a sentence."""
    failed = [check for check in audit["checks"] if check["verdict"] not in PASSES]
    return "; ".join(f"{check['check']}: {check['detail']}" for check in failed)


def versions() -> dict[str, str]:
    return {
        "tokumei": tokumei.__version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "pyarrow": pa.__version__,
        "duckdb": duckdb.__version__,
        "narwhals": narwhals.__version__,
    }


def text(audit: Audit) -> str:
    return json.dumps(audit, indent=2, ensure_ascii=False) + "\n"


def sealed(audit: Audit) -> str:
    """An audit for a file, with the hash of all the rest of it at its end.

    It finds what happened to the file by accident. Who changes it on purpose can work the hash out
    again.
    """
    return _with_hash(text(audit).encode("utf-8", "backslashreplace")).decode()


def unsealed(written: bytes) -> Audit | None:
    """The audit of such a file; None where any byte of it is another one."""
    body = written[: -len(_with_hash(END))] + END
    return cast("Audit", json.loads(body)) if written == _with_hash(body) else None


def _with_hash(body: bytes) -> bytes:
    digest = hashlib.sha256(body).hexdigest()
    return body.removesuffix(END) + f',\n  "sha256": "{digest}"'.encode() + END


def refused(record: Audit) -> Refused:
    """What is raised where a check failed."""
    return Refused(failures(record), public(record))

"""The audit of a release: what was asked for, what was reached, every check and its verdict.

It can be published: it names columns and counts records, and holds no value of the data, no path,
no host and no time.
"""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Sequence
from typing import Any, Protocol

import duckdb
import narwhals
import numpy as np
import pyarrow as pa

import tokumei
from tokumei.release.gate.checks import Check
from tokumei.release.schema import Schema


class Job(Protocol):
    """What was asked for."""

    def asked(self, roles: Schema) -> dict[str, Any]:
        """The roles and parameters, as JSON can hold them."""

    @property
    def random_numbers(self) -> str:
        """Where chance came from."""


def record(
    job: Job,
    roles: Schema,
    source: dict[str, Any],
    checks: Sequence[Check],
    *,
    output: dict[str, Any] | None = None,
    achieved: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """The audit as a dictionary that JSON can hold; `checks` decide its verdict."""
    passed = bool(checks) and all(check.passed for check in checks)
    asked = job.asked(roles)
    measured = {name: count for check in checks for name, count in check.measured.items()}
    return {
        "verdict": "released" if passed else "refused",
        "versions": versions(),
        "job": {"sha256": _hash(asked), **asked},
        "random_numbers": job.random_numbers,
        "input": source,
        "output": output if passed else None,
        "achieved": achieved and {**measured, **achieved},
        "checks": [
            {"check": c.name, "verdict": "passed" if c.passed else "failed", "detail": c.detail}
            for c in checks
        ],
    }


def failures(audit: dict[str, Any]) -> str:
    """The failed checks of an audit in a sentence."""
    failed = [check for check in audit["checks"] if check["verdict"] != "passed"]
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


def text(audit: dict[str, Any]) -> str:
    return json.dumps(audit, indent=2, ensure_ascii=False) + "\n"


def _hash(job: dict[str, Any]) -> str:
    canonical = json.dumps(job, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(canonical.encode("utf-8", "surrogatepass")).hexdigest()

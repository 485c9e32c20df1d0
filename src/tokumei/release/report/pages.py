"""The page itself: what an audit says, in the order in which a person decides."""

from __future__ import annotations

import base64
import hashlib
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import tokumei
from tokumei.release.errors import InputError, as_input_error
from tokumei.release.losses import amount
from tokumei.release.release import Audit
from tokumei.release.report import words
from tokumei.release.report.pictures import HEIGHT, WIDTH, picture_of
from tokumei.release.sections import Report

# What bounds the page whatever the table's size.
MOST_COLUMNS = 200
MOST_PICTURES = 40
MOST_SETTINGS = 60


def check(wanted: Report) -> None:
    """Refuse a place where no report can be written, before any work."""
    if wanted.path is not None:
        folder = Path(wanted.path).parent
        if not (folder.is_dir() and os.access(folder, os.W_OK)):
            msg = f"cannot write the report {Path(wanted.path).name}: its folder is not there"
            raise InputError(msg)


def keep(audit: Audit, wanted: Report) -> None:
    """Write the report that a job asks for, if it asks for one."""
    if wanted.path is not None:
        write(Path(wanted.path), page(audit))


def write(path: Path, text: str) -> None:
    """Put a page in its place, readable for its owner alone; never half of it."""
    with as_input_error(f"cannot write the report {path.name}"):
        number, staged = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(number, "w", encoding="utf-8", errors="backslashreplace") as file:
                file.write(text)
                file.flush()
                os.fsync(number)
            Path(staged).replace(path)
        except BaseException:
            Path(staged).unlink(missing_ok=True)
            raise


def page(audit: Mapping[str, Any], comparison: Mapping[str, Any] | None = None) -> str:
    """One file of HTML, with nothing in it to load or to run."""
    try:
        from jinja2 import Environment, PackageLoader, StrictUndefined
    except ImportError:
        msg = "a report needs jinja2: pip install tokumei[report]"
        raise InputError(msg) from None
    loader = PackageLoader("tokumei.release.report")
    environment = Environment(
        loader=loader,
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    style = environment.get_template("style.css").render()
    return environment.get_template("page.html").render(
        **_said(audit),
        comparison=comparison and _compared(comparison),
        style=style,
        # The one thing that the page may use is its own style, by its hash.
        style_hash=base64.b64encode(hashlib.sha256(style.encode()).digest()).decode(),
        version=tokumei.__version__,
    )


def _said(audit: Mapping[str, Any]) -> dict[str, Any]:
    """What the templates speak of, by name."""
    achieved = audit["achieved"] or {}
    job = audit["job"]
    checks = audit["checks"]
    losses = sorted(achieved.get("losses", {}).items(), key=lambda one: -one[1]["changed"])
    histograms = achieved.get("histograms", {})
    order = [name for name, _ in losses] or list(histograms)
    drawn = [name for name in order if name in histograms][:MOST_PICTURES]
    return {
        "audit": audit,
        "internal": "notation" in audit["input"],
        "report": job.get("report") or {},
        "verdict": audit["verdict"],
        "accepted": [one for one in checks if one["verdict"] == "accepted"],
        "stopped": [one for one in checks if one["verdict"] in ("failed", "undecided")],
        "risks": [one for one in checks if one["check"] in words.RISKS],
        "checks": checks,
        "achieved": achieved,
        "roles": _roles(job["roles"]),
        "models": [(one["model"], _options(one, "model")) for one in job["privacy"]],
        "steps": [(one["do"], _methods(one, achieved)) for one in job["steps"]],
        "sensitive": _sensitive(job["roles"], achieved),
        "losses": losses[:MOST_COLUMNS],
        "more_losses": max(0, len(losses) - MOST_COLUMNS),
        "amount": amount,
        "pictures": [(name, picture_of(histograms[name])) for name in drawn],
        "more_pictures": len(histograms) - len(drawn),
        "width": WIDTH,
        "height": HEIGHT,
        "words": words,
    }


def _roles(roles: Mapping[str, str]) -> list[tuple[str, list[str], int]]:
    """Each role with its columns, as many as the page can hold, and how many more."""
    by_role: dict[str, list[str]] = {}
    for name, role in roles.items():
        by_role.setdefault(role, []).append(name)
    return [
        (role, names[:MOST_COLUMNS], max(0, len(names) - MOST_COLUMNS))
        for role, names in by_role.items()
    ]


def _options(one: Mapping[str, Any], tag: str) -> list[tuple[str, Any]]:
    return [(name, value) for name, value in one.items() if name != tag and value is not None]


def _methods(step: Mapping[str, Any], achieved: Mapping[str, Any]) -> list[str]:
    """What is said of how a step was done."""
    if step["do"] == "recode":
        return [
            f"{words.RECODED[what]}: {figures}."
            for what, figures in _recoded(achieved).items()
            if figures
        ]
    if step["do"] != "microaggregate":
        return []
    done = str(achieved.get("method", "")).split(", ")
    return [words.METHODS[name] for name in done if name in words.METHODS]


def _recoded(achieved: Mapping[str, Any]) -> dict[str, str]:
    """What recoding came to besides merging, in figures."""
    found = achieved.get("model_loss")
    exchanged = list(achieved.get("exchanged", {}).items())[:MOST_COLUMNS]
    gone = list(achieved.get("suppressed", {}).items())[:MOST_COLUMNS]
    return {
        "model_loss": f"a share of {found['share']:g}, by which "
        f"{found['loss_by_share'][format(found['share'], 'g')]:.2%} is lost"
        if found
        else "",
        "exchanged": "; ".join(
            f"{name}: {one['changed']:.1%} of cells, and a record of the category that loses most "
            f"keeps it with a chance of {one['least_retention']:.2g}"
            for name, one in exchanged
        ),
        "suppressed": ", ".join(f"{share:.2%} of {name}" for name, share in gone),
    }


def _sensitive(
    roles: Mapping[str, str], achieved: Mapping[str, Any]
) -> list[tuple[str, dict[str, Any]]]:
    """What classes show of each sensitive column."""
    known = {
        name: {
            what: achieved[f"{what} of {name}"]
            for what in ("distinct l", "entropy l", "t", "homogeneous share")
            if f"{what} of {name}" in achieved
        }
        for name, role in roles.items()
        if role == "sensitive"
    }
    return [(name, found) for name, found in known.items() if found][:MOST_COLUMNS]


def _compared(comparison: Mapping[str, Any]) -> dict[str, Any]:
    """Settings side by side, as points of a map of risk and loss."""
    try:
        settings = comparison["settings"][:MOST_SETTINGS]
        best = comparison["recommended"]
        most_loss = max(one["loss"] for one in settings) or 1.0
        most_risk = max(1.0 / one["k"] for one in settings)
        points = [
            {
                **{name: one[name] for name in ("method", "k", "loss", "changed", "ild", "links")},
                "x": round(WIDTH * one["loss"] / most_loss, 1),
                "y": round(HEIGHT * (1.0 - 1.0 / one["k"] / most_risk), 1),
                "best": (one["method"], one["k"]) == (best["method"], best["k"]),
            }
            for one in settings
        ]
        return {"points": points, "best": dict(best)}
    except (KeyError, TypeError, ValueError):
        msg = "the comparison is not what compare --json prints"
        raise InputError(msg) from None

"""Tables masked as a whole: every kind of column, every kind of representative."""

from __future__ import annotations

from golden.case import Case

TABLE = "frame(age=age, amount=amount, size=size, job=job, home=fives, sex=sex)"
HOLES = "frame(age=holes, size=size, sex=sex)"
QUASI = "quasi=['age', 'amount', 'size', 'job']"
# Few people, who are invented.
ACCEPTED = "accept_risk=ACCEPTED"
ROLES = f"{QUASI}, other=['home', 'sex'], {ACCEPTED}"
TREES = "trees={'job': trades}, keep_order=True"
KINDS = f"orders={{'size': SIZES}}, {TREES}"


def masked(options: str, *, table: str = TABLE, roles: str = ROLES, slow: bool = False) -> Case:
    return Case(f"tk.release.mask({table}, {roles}, {options}).table", slow=slow)


CASES = [
    masked(f"k=3, effort='fast', {KINDS}"),
    masked(f"k=3, {KINDS}", slow=True),
    masked("k=4, method='mdav', keep_order=True"),
    masked(f"k=4, method='mdav', kinds={{'age': 'ordinal', 'size': 'nominal'}}, {TREES}"),
    masked(f"k=4, method='npn', attribute_weights={{'age': 4, 'job': 0.5}}, {KINDS}"),
    masked(f"k=5, method='vmdav', strata=['sex'], {KINDS}"),
    # Households have fresh random numbers.
    Case(
        f"tk.release.mask({TABLE}, {QUASI}, sensitive=['sex'], {ACCEPTED}, k=3, effort='fast', "
        f"household='home', {KINDS}).table.drop_columns('home')"
    ),
    masked(f"k=3, effort=1, weight='home', {KINDS}", roles=f"{QUASI}, other=['sex'], {ACCEPTED}"),
    *(
        masked(
            "k=4, method='mdav', represent={'age': 'interval', 'amount': 'median', "
            f"'size': '{size}', 'job': '{job}'}}, {KINDS}"
        )
        for size, job in (("interval", "mode"), ("mode", "set"), ("set", "ancestor"))
    ),
    *(
        masked(
            f"k=4, method='mdav', missing='{missing}', keep_order=True",
            table=HOLES,
            roles=f"quasi=['age', 'size'], other=['sex'], {ACCEPTED}",
        )
        for missing in ("category", "impute")
    ),
    # Shuffled, as it is by default.
    Case(f"rows(tk.release.mask({TABLE}, {ROLES}, k=4, method='mdav').table)"),
    Case(f"tk.release.mask({TABLE}, {ROLES}, k=4, method='mdav', {KINDS}).audit['achieved']"),
    Case(
        f"tk.release.recode({TABLE}, {QUASI}, other=['home', 'sex'], share={{'size': 0.3}}, "
        f"level={{'job': 1}}, top={{'age': 60}}, bins={{'amount': [-1e9, 0, 1e9]}}, {KINDS}).table"
    ),
]

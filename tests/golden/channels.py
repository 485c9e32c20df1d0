"""Noise: budgets, channels, their exact chances, and what they draw from a seed of tests."""

from __future__ import annotations

from itertools import product

from golden.case import Case

LOGARITHMS = "exponentials and logarithms of numpy and libm"
CHANNELS = {
    "laplace": (
        "(5.5, lower=0, upper=40)",
        "(3.0, lower=0, upper=40, integer=True)",
        "(2.0, lower=-1, upper=1)",
    ),
    "randomized_response": (
        "(2.0, lower=0, upper=5, integer=True)",
        "(1.0, lower=0, upper=40, cells=8)",
        "(6.0, lower=0, upper=40, cells=8, max_retention=0.5)",
    ),
    "square_wave": (
        "(1.5, lower=0, upper=40, cells=16)",
        "(3.0, lower=0, upper=5, integer=True)",
        "(0.5, lower=0, upper=40, cells=20, reach=3)",
    ),
}
EACH = [f"tk.noise.{name}{options}" for name, each in CHANNELS.items() for options in each]
SEED = "insecure_seed_for_tests=11"
AGE = "tk.noise.Attribute(17, 90, integer=True, weight=2)"
JOB = "tk.noise.Attribute(categories=JOBS)"
AMOUNT = "tk.noise.Attribute(0, 130, mechanism='square-wave', cells=30, missing='category')"
ATTRIBUTES = f"[{AGE}, {JOB}, {AMOUNT}]"


def inside(channel: str) -> str:
    """Values within a channel's bounds."""
    low, high = channel.split("lower=")[1].split(",")[0], channel.split("upper=")[1]
    width = int(high.split(",")[0].rstrip(")")) - int(low)
    return f"{low} + whole(71, 700, {width + 1})"


def cells(channel: str) -> str:
    """Edges of a few cells within them."""
    if "upper=5," in channel:
        return "np.arange(-0.5, 6)"
    return (
        "np.arange(9) / 4 - 1"
        if "upper=1" in channel
        else "np.arange(-0.5, 41)"
        if ("integer" in channel)
        else "np.arange(9) * 5.0"
    )


CASES = [
    *(Case(f"tk.noise.budget({n}, {k})") for n, k in ((32561, 2), (1000, 10), (10**9, 3))),
    Case("tk.noise.shares(1001, 11, [3, 1, 0.25])"),
    *(
        Case(f"tk.noise.pk_scale({low}, {high}, {n}, {k}, attributes={count})")
        for (low, high), (n, k), count in product(
            ((17, 90), (-1e9, 1e9), (0, 0.1)), ((32561, 2), (500, 30)), (1, 4)
        )
    ),
    Case("tk.noise.matrix_share(np.full((3, 3), 0.125) + np.eye(3) * 0.625)", LOGARITHMS),
    Case("tk.noise.matrix_share(np.eye(2))"),
    *(Case(f"tk.noise.linkage_k([{a}, 0.25], 5000)") for a in EACH),
    *(Case(a) for a in EACH),
    *(Case(f"({a}).epsilon") for a in EACH),
    *(Case(f"({a}).exact_epsilon") for a in EACH),
    *(Case(f"({a}).lattice") for a in EACH),
    *(Case(f"({a}).outputs({cells(a)})") for a in EACH),
    *(Case(f"({a}).transition({cells(a)})[::9, ::9]", LOGARITHMS) for a in EACH),
    *(Case(f"({a}).log_density([1, 2], [0, 1])", LOGARITHMS) for a in EACH),
    *(Case(f"({a}).perturb({inside(a)}, {SEED})") for a in EACH),
    Case(f"({EACH[0]}).perturb([-7, 3, 99], clip=True, {SEED})"),
    Case(f"tk.noise.plan({ATTRIBUTES}, 5000, 3)"),
    *(
        Case(f"tk.noise.perturb([age, job, amount], {ATTRIBUTES}, 3, keep_order={order}, {SEED})")
        for order in (True, False)
    ),
    Case("tk.LaplaceNoise(k=3, lower=0, upper=130).fit(trio[:, :2])"),
    Case("tk.SquareWaveNoise(k=3, lower=0, upper=130, cells=20).fit(trio[:, :2])"),
    Case("tk.RandomizedResponseNoise(k=3, lower=0, upper=130, cells=20).fit(trio[:, :2])"),
    Case(f"tk.LaplaceNoise(k=3, lower=0, upper=130, {SEED}).fit_transform(trio[:, :2])"),
]

"""Distributions behind released values."""

from __future__ import annotations

from golden.case import Case

EM = "steps of EM through numpy's logarithms and sums"
SEARCH = "the evidence of smoothness, searched for up to a tolerance through numpy and LAPACK"
LINEAR = "eigenvectors and products of LAPACK and BLAS"
WIDE = "tk.noise.laplace(1.5, lower=-10, upper=20)"
WHOLE = "tk.noise.laplace(4.0, lower=0, upper=40, integer=True)"
ANSWER = "tk.noise.randomized_response(2.0, lower=0, upper=5, integer=True)"
WAVE = "tk.noise.square_wave(2.0, lower=0, upper=5, integer=True)"
SOME = "noisy[:40]"


def mixture(options: str, values: str = "noisy", use: str = "", *, slow: bool = False) -> Case:
    return Case(f"tk.reconstruct.LaplaceMixture({options}).fit({values}){use}", EM, slow=slow)


def searched(expression: str) -> Case:
    return Case(expression, SEARCH, within=1e-4, slow=True)


CASES = [
    Case("tk.reconstruct.l1_accuracy([0.5, 0.25, 0.25], [5, 4, 1])"),
    # Mixtures.
    mixture("1, 1.5"),
    mixture("2, 1.5"),
    mixture("3, 0.5, n_init=2", slow=True),
    mixture("2, 1.5, accelerate=False, max_iter=40"),
    mixture("2, 1.5, binned=True, random_state=4"),
    mixture("2, 1.5, lower=-10, upper=20"),
    mixture("2, 4.0, lower=0, upper=40, integer=True, max_iter=200", "noisy_whole"),
    mixture("1, 1.5, atoms=[0.0, 8.0]"),
    mixture("2, 1.5, method='gradient', rate=1e-4, max_iter=50"),
    *(
        mixture("2, 1.5", use=f".{use}")
        for use in (
            "probabilities(np.arange(-10, 21))",
            f"pdf({SOME})",
            f"cdf({SOME})",
            f"predict_proba({SOME})",
            "predict(noisy)",
            f"score_samples({SOME})",
            "score(noisy)",
            "bic(noisy)",
            "aic(noisy)",
            "sample(50, 3)",
        )
    ),
    Case("tk.reconstruct.choose_mixture(noisy, 1.5, components=(1, 2))", EM),
    Case(
        "tk.reconstruct.mixture_average(noisy, 1.5, cells=np.arange(-10, 21), components=(1, 2))"
        ".probabilities",
        EM,
    ),
    # Cells.
    *(
        Case(f"tk.reconstruct.iterative_bayes({y}, {channel}, max_iter=60{options})", EM)
        for y, channel, options in (
            ("noisy", WIDE, ""),
            ("noisy", WIDE, ", cells=30, smooth=0.5"),
            ("noisy", WIDE, ", cells=20, accelerate=True, tol=1e-3"),
            ("noisy_whole", WHOLE, ""),
            ("answers", ANSWER, ""),
            ("answers", ANSWER, ", accelerate=True"),
            ("answers", WAVE, ", start=[1, 2, 3, 3, 2, 1]"),
        )
    ),
    searched(f"tk.reconstruct.table(answers2, [{ANSWER}, {WAVE}], max_iter=80)"),
    searched(f"tk.reconstruct.table(answers2, [{ANSWER}] * 2).margin(1)"),
    # The automatic choice.
    *(
        searched(f"tk.reconstruct.distribution({y}, {channel}{options})")
        for y, channel, options in (
            ("noisy_whole", WHOLE, ""),
            ("noisy", WIDE, ", cells=20, atoms=[0.0]"),
            ("answers", ANSWER, ""),
            ("answers", WAVE, ""),
        )
    ),
    *(
        searched(f"tk.reconstruct.smooth({y}, {channel}{options})")
        for y, channel, options in (
            ("noisy", WIDE, ", cells=20"),
            ("noisy_whole", WHOLE, ", orders=(2,)"),
            ("answers", ANSWER, ", orders=(1, 2)"),
        )
    ),
    *(
        searched(f"tk.reconstruct.smooth(answers, {WAVE}).{use}")
        for use in (
            "mean()",
            "std()",
            "cdf([0, 1, 2.5])",
            "quantile([0.1, 0.5, 0.9])",
            "sample(30, 1)",
        )
    ),
    # Several attributes.
    Case("tk.reconstruct.covariance(noisy2, [1.5, 1.0])", LINEAR),
    Case("tk.reconstruct.covariance(noisy2, 9.0)", LINEAR),
    Case("tk.reconstruct.ScaleMixture(2, [1.5, 1], n_init=1, n_steps=30).fit(noisy2)", LINEAR),
    Case(
        "tk.reconstruct.ScaleMixture(1, 1.0, n_init=1, n_steps=9).fit(noisy2).covariance()", LINEAR
    ),
    Case("tk.reconstruct.RotatedMixture(2, [1.5, 1.0], max_iter=10).fit(noisy2)", LINEAR),
    Case("tk.reconstruct.DiagonalMixture(2, [1.5, 1.0], n_init=2).fit(noisy2)", LINEAR),
    searched("tk.reconstruct.advise([tk.noise.Attribute(0, 9, integer=True)], 500, 2, draws=1)"),
    # How well records are linked through noise.
    searched(f"tk.risk.noise_attack([0, 1, 2, 3, 5, 5], [1, 1, 2, 3, 5, 0], [{ANSWER}])"),
]

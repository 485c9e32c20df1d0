"""The examples that the papers work out by hand, computed by the library, number by number.

ILD paper and thesis: information amounts and losses of their examples and tables 1 and 2 (3.1 and
3.2), CM, DM and the entropy loss. Path paper: its table 2. Recoding paper: its table 2, distance
and equation (7). Mixture paper: the scales of its noise. Each number is rounded or cut to the
decimals of the print, which does both.

    python examples/papers/worked_examples.py [--write]
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
from certificate import Cell, add_options, as_printed, certify

import tokumei as tk
from tokumei.distances import Discrete, Distance, Euclidean, Graph, Product, Tree

PREFECTURES = {
    "Nagano": "Koshinetsu",
    "Niigata": "Koshinetsu",
    "Tokyo": "Kanto",
    "Kanagawa": "Kanto",
    "Osaka": "Kansai",
    "Nara": "Kansai",
    "Fukuoka": "Kyushu",
    "Kumamoto": "Kyushu",
}
HALVES = {"Koshinetsu": "east", "Kanto": "east", "Kansai": "west", "Kyushu": "west"}
COUNTRY = {**PREFECTURES, **HALVES, "east": "Japan", "west": "Japan"}
# Figure 4: the weights between regions, 2 if not said; figure 3 has them between prefectures.
FAR = {("Kanto", "Kansai"): 4, ("Koshinetsu", "Kyushu"): 4, ("Kanto", "Kyushu"): 6}

AREAS = [790, 710, 730, 810, 950, 510, 400, 330, 510, 760, 50]
EMPLOYEES = [55, 44, 32, 17, 3, 25, 45, 50, 5, 52, 12]
PATH_TABLE_2 = {
    "area": "0.777 0.457 0.537 0.857 1.416 -0.341 -0.781 -1.060 -0.341 0.657 -2.179",
    "employees": "1.296 0.704 0.058 -0.748 -1.502 -0.318 0.758 1.027 -1.394 1.135 -1.017",
}


def weight(one: str, other: str) -> int:
    """The weight between two regions."""
    return FAR.get((one, other)) or FAR.get((other, one)) or 2


def graphs() -> tuple[Graph, Graph]:
    """Figures 3 and 4: two graphs, one of prefectures and one of regions."""
    names, regions = list(PREFECTURES), list(HALVES)
    of_prefectures = {
        (a, b): 1 if PREFECTURES[a] == PREFECTURES[b] else weight(PREFECTURES[a], PREFECTURES[b])
        for i, a in enumerate(names)
        for b in names[i + 1 :]
    }
    of_regions = {(a, b): weight(a, b) for i, a in enumerate(regions) for b in regions[i + 1 :]}
    return Graph(of_prefectures), Graph(of_regions)


def amounts(
    where: str,
    name: str,
    values: tuple[object, object],
    distances: tuple[Distance, Distance],
    printed: tuple[str, str, str],
    power: float = 2,
) -> Iterator[Cell]:
    """I(A), I(B) and ILD."""
    (was, published), (distance, other) = values, distances
    found = (
        tk.loss.information(was, distance, power=power),
        tk.loss.information(published, other, power=power),
        tk.loss.ild(was, published, distance, masked_distance=other, power=power),
    )
    for what, text, value in zip(("I(A)", "I(B)", "ILD"), printed, found, strict=True):
        yield Cell(where, f"{name}, {what}", text, as_printed(text, value))


def ild_paper() -> Iterator[Cell]:
    """The ILD paper's examples 2.1 and 2.2 and tables 1 and 2; in the thesis 3.1 and 3.2."""
    euclid = Euclidean()
    yield from amounts(
        "ILD paper, example 2.1", "(1, 2, 3, 4)", ([1, 2, 3, 4], [1.5, 1.5, 3.5, 3.5]),
        (euclid, euclid), ("40", "32", "0.2"),
    )  # fmt: skip
    leaves = ["a11", "a12", "a21", "a22"]
    tree = Tree({"a11": "a1", "a12": "a1", "a21": "a2", "a22": "a2", "a1": "a", "a2": "a"})
    for published, printed in (
        (["a1", "a1", "a2", "a2"], ("144", "32", "0.778")),
        (["a"] * 4, ("144", "0", "1")),
    ):
        yield from amounts(
            "ILD paper, example 2.2", f"to {' '.join(dict.fromkeys(published))}",
            (leaves, published), (tree, tree), printed,
        )  # fmt: skip
    names, regions = list(PREFECTURES), list(PREFECTURES.values())
    country, discrete = Tree(COUNTRY), Discrete()
    for table, power, cells in (
        ("ILD paper, table 1", 2, (("56", "48", "0.14285"), ("1440", "576", "0.60000"),
                                   ("648", "640", "0.01234"))),
        ("ILD paper, table 2", 1, (("56", "48", "0.14285"), ("272", "160", "0.41176"),
                                   ("168", "160", "0.04762"))),
    ):  # fmt: skip
        kinds = (("discrete", (discrete, discrete)), ("tree", (country, country)),
                 ("graph", graphs()))  # fmt: skip
        for (name, distances), printed in zip(kinds, cells, strict=True):
            yield from amounts(table, name, (names, regions), distances, printed, power)


def thesis() -> Iterator[Cell]:
    """The thesis' example 3.1.3, and its examples of other measures."""
    letters = Graph({("a", "b"): 1, ("b", "c"): 1, ("a", "c"): 3})
    both = Product(Euclidean(), letters)
    was = {"number": [1, 2, 3, 4], "letter": ["a", "a", "b", "c"]}
    published = {"number": [1.5, 1.5, 3.5, 3.5], "letter": ["a", "a", "b", "b"]}
    where = "ILD thesis, example 3.1.3"
    for name, distance, printed in (
        ("number", Euclidean(), "40"),
        ("letter", letters, "42"),
    ):
        found = tk.loss.information(was[name], distance)
        yield Cell(where, f"I of the {name}s", printed, as_printed(printed, found))
    found = tk.loss.ild(was, published, both)
    yield Cell(where, "ILD", "53/105", str(Fraction(found).limit_denominator(1000)))
    classes = ["o"] * 5 + (["o"] * 4 + ["t"]) + (["t"] * 4 + ["o"]) * 2
    found = tk.loss.cm(classes, np.repeat(range(4), 5))
    printed = "3/20"
    yield Cell("ILD thesis, figure 2.9", "CM", printed, str(Fraction(found).limit_denominator(99)))
    for sizes, printed in (((4, 4), "32"), ((1, 3, 4), "33")):
        labels = np.repeat(range(len(sizes)), sizes)
        cell = f"DM of groups of {', '.join(map(str, sizes))}"
        yield Cell("ILD thesis, section 2.4", cell, printed, str(tk.loss.dm(labels, 3)))
    for n, k in ((4, 3), (10, 5)):
        x = np.arange(n * k)
        cell = f"{n} groups of {k} distinct values"
        loss = tk.loss.ild(x, x // k, Discrete())
        where, entropy = "ILD thesis, section 3.3.3", np.log(k) / np.log(n * k)
        expected, ours = Fraction(k - 1, n * k - 1), Fraction(loss).limit_denominator(999)
        yield Cell(where, f"{cell}, discrete ILD", str(expected), str(ours))
        found = tk.loss.entropy(x, x // k)
        yield Cell(where, f"{cell}, entropy loss", f"{entropy:.12f}", f"{found:.12f}")


def path_paper() -> Iterator[Cell]:
    """The path paper's table 2: eleven companies, standardised."""
    found = tk.standardize(np.transpose([AREAS, EMPLOYEES]))
    for column, (name, line) in zip(found.T, PATH_TABLE_2.items(), strict=True):
        for company, (printed, value) in enumerate(zip(line.split(), column, strict=True), 1):
            cell = f"company {company}, {name}"
            yield Cell("path paper, table 2", cell, printed, as_printed(printed, value))


def recoding_paper() -> Iterator[Cell]:
    """The recoding paper's table 2 and its ordinal distance."""
    industry = ["agriculture"] * 5 + ["forestry"] * 2 + ["services"] * 30
    industry += ["real estate"] * 13 + ["manufacturing"] * 50
    counts = tk.recode.by_share(industry, 0.05).counts
    printed = {"agriculture/forestry": 7, "services": 30, "real estate": 13, "manufacturing": 50}
    for name, count in printed.items():
        yield Cell("recoding paper, table 2", name, str(count), str(counts.get(name, 0)))
    ages = [f"{10 * decade}s" for decade in range(10)]
    found = tk.loss.direct(["30s"], ["50s"], order=ages)
    yield Cell("recoding paper, equation (2)", "30s to 50s", "0.2", as_printed("0.2", found))


def mixture_paper() -> Iterator[Cell]:
    """The mixture paper's scales of the noise on Adult, k = 2."""
    for name, lower, upper, printed in (
        ("age", 17, 90, "14.05"),
        ("capital-gain", 0, 99_999, "19247.53"),
        ("education-num", 1, 16, "2.88"),
    ):
        found = tk.noise.pk_scale(lower, upper, 32_561, 2)
        yield Cell("mixture paper, section 5.2", f"scale of {name}", printed,
                   as_printed(printed, found))  # fmt: skip


def cells() -> list[Cell]:
    """Every number."""
    papers = (ild_paper, thesis, path_paper, recoding_paper, mixture_paper)
    return [cell for paper in papers for cell in paper()]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    add_options(parser)
    return certify("worked_examples", cells(), write=parser.parse_args().write)


if __name__ == "__main__":
    sys.exit(main())

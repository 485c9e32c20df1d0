"""Shares for all columns, exchange by chance and suppression: as asked, and a fault is found."""

from collections import Counter
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pyarrow.csv
import pytest
from builders.people import ACCEPTED

import tokumei as tk
from tokumei import commands
from tokumei.release.gate.stages import chances
from tokumei.release.recode import exchange, recoding

RNG = np.random.default_rng(8)
N = 400
JOBS = RNG.choice(list("abcdef"), N, p=[0.4, 0.3, 0.15, 0.1, 0.04, 0.01])
PEOPLE = {
    "age": RNG.integers(20, 60, N),
    "job": JOBS,
    "tool": np.where(RNG.random(N) < 0.8, np.char.upper(JOBS), RNG.choice(list("AB"), N)),
    "ill": RNG.choice(list("uvw"), N),
}
ROLES = {"quasi": ["age", "job", "tool"], "sensitive": ["ill"], "keep_order": True}
ROLES |= {"bins": {"age": [0, 30, 45, 99]}}


def recoded(table=None, **options):
    options |= {"accept_risk": ACCEPTED} if "k" in options else {}
    return tk.release.recode(pd.DataFrame(PEOPLE) if table is None else table, **(ROLES | options))


def refusal(**options):
    with pytest.raises((tk.release.InputError, tk.release.Refused)) as caught:
        recoded(**options)
    return str(caught.value)


def smallest_class(table):
    return int(table.groupby(["age", "job", "tool"], dropna=False).size().min())


def test_every_category_of_every_column_has_the_least_share():
    found = recoded(least_share=0.1, share={"tool": 0.3}).table
    assert min(Counter(found["job"]).values()) >= 0.1 * N
    assert min(Counter(found["age"]).values()) >= 0.1 * N
    assert min(Counter(found["tool"]).values()) >= 0.3 * N
    same = tk.recode.by_share(PEOPLE["job"], 0.1).values
    assert found["job"].tolist() == same.tolist()


def test_models_say_which_share_they_bear():
    asked = {"job": PEOPLE["job"], "tool": PEOPLE["tool"]}
    limit = 0.15
    found = tk.loss.share_for(asked, limit, n_jobs=1)
    release = tk.release.recode(
        pd.DataFrame(asked), quasi=["job", "tool"], model_loss=limit, n_threads=1, keep_order=True
    )
    achieved = release.audit["achieved"]["model_loss"]
    assert 0.0 < found.share < 0.1
    assert achieved["share"] == found.share
    assert list(achieved["loss_by_share"].values()) == pytest.approx(
        list(found.losses.values()), rel=1e-2, abs=1e-6
    )
    for name in asked:
        assert release.table[name].tolist() == found.recodings[name].values.tolist()
    assert "models lose no more than asked" in [each["check"] for each in release.audit["checks"]]


def test_exchanged_categories_are_said_to_keep_what_they_keep():
    release = recoded(pram={"job": 0.7}, pram_alpha=1.0, pram_least=0.4)
    told = release.audit["achieved"]["exchanged"]["job"]
    record = release.record["achieved"]["exchanged"]["job"]
    changed = np.mean(release.table["job"].to_numpy() != PEOPLE["job"])
    assert told == {"changed": pytest.approx(changed, abs=1e-3), "least_retention": 0.4}
    rarest = PEOPLE["job"] == "f"
    kept = int((release.table["job"].to_numpy()[rarest] == "f").sum())
    assert record["rarest"] == {"records": int(rarest.sum()), "kept": kept}
    assert release.audit["random_numbers"] == "operating system"


def test_the_gate_works_chances_out_as_the_recoding_does():
    counts = np.array([50, 30, 5, 1])
    values = np.repeat(np.arange(4), counts)
    for keep, alpha, least in ((0.8, 0.5, 0.0), (0.6, 1.0, 0.0), (0.6, 1.0, 0.7), (0.0, 0.9, 0.5)):
        made = tk.recode.invariant(
            values, tk.recode.retention(range(4), keep), alpha=alpha, least_retention=least
        )
        assert chances(counts, keep, alpha, least) == pytest.approx(made.matrix)


MODELS = [
    {"l_diversity": 2},
    {"l_diversity": 2, "l_kind": "entropy"},
    {"l_diversity": 2, "l_kind": "recursive", "l_c": 3.0},
    {"t_closeness": 0.4},
    {"t_closeness": 0.4, "t_kind": "hierarchical", "t_tree": {"u": "x", "v": "x", "w": "x"}},
    {"beta_likeness": 1.5},
    {"missing_counts_as": "wildcard"},
]


@pytest.mark.parametrize("model", MODELS, ids=lambda one: " ".join(map(str, one.values())))
def test_after_suppression_every_model_holds(model):
    table = pd.DataFrame(PEOPLE)[:120]
    table.loc[3, "job"] = None
    release = recoded(table, k=4, suppress=0.9, **model)
    assert release.audit["verdict"] == "released"
    assert release.audit["achieved"]["k"] >= 4
    assert smallest_class(release.table) >= 4
    gone = release.table.isna()
    assert (gone[["age", "job", "tool"]].mean() <= 0.9).all()
    assert release.table["ill"].tolist() == table["ill"].tolist()
    plain = recoded(table).table
    kept = ~gone
    assert (release.table[kept] == plain[kept])[kept].fillna(value=True).all().all()


def test_suppression_counts_households_and_a_population():
    table = pd.DataFrame(PEOPLE)[:120].assign(home=np.arange(120) // 2)
    audit = recoded(table, k=3, suppress=1.0, household="home").audit
    assert audit["achieved"]["k_households"] >= 3
    everybody = recoded().table
    asked = {"k": 2, "k_map": 9, "population": everybody, "suppress": 1.0}
    audit = recoded(pd.DataFrame(PEOPLE)[:120], missing_counts_as="wildcard", **asked).audit
    assert audit["achieved"]["k-map"] >= 9
    assert "needs missing_counts_as='wildcard'" in refusal(**asked)


def test_suppressed_cells_leave_columns_as_they_were():
    table = pd.DataFrame(PEOPLE)
    table["job"] = table["job"].astype("category")
    dear = {"suppress": 1.0, "k": 12, "importance": {"job": 20.0, "age": 10.0}}
    found = recoded(table, **dear)
    assert found.table["job"].dtype == "category"
    told = found.audit["achieved"]["suppressed"]
    assert told["tool"] > told["job"]
    assert told["tool"] == pytest.approx(found.table["tool"].isna().mean(), abs=1e-3)


def spoiled(monkeypatch, module, name, change):
    real = getattr(module, name)
    monkeypatch.setattr(module, name, lambda *a, **o: change(real, *a, **o))


@pytest.mark.parametrize(
    ("module", "name", "change", "asked", "sentence"),
    [
        (
            exchange,
            "pram",
            lambda real, values, transition: np.array(values, dtype=object),
            {"pram": {"job": 0.2}, "pram_alpha": 1.0},
            "column 'job': not exchanged as its chances say",
        ),
        (
            exchange,
            "pram",
            lambda real, values, transition: np.array(["a"] * len(values), dtype=object),
            {"pram": {"job": 0.8}},
            "column 'job': not exchanged as its chances say",
        ),
        (
            exchange,
            "invariant",
            lambda real, values, transition, **options: transition,
            {"pram": {"job": 0.1}, "pram_alpha": 1.0},
            "not exchanged as its chances say",
        ),
        (
            recoding,
            "suppressed",
            lambda real, *a: {name: ~flags for name, flags in real(*a).items()},
            {"k": 2, "suppress": 0.3},
            "% of cells suppressed, 30 % allowed",
        ),
        (
            recoding,
            "suppressed",
            lambda real, *a: {name: flags & False for name, flags in real(*a).items()},
            {"k": 6, "suppress": 0.3},
            "record, 6 asked",
        ),
        (
            recoding,
            "settled",
            lambda real, step, *a: (
                replace(real(step, *a)[0], share=dict.fromkeys(["job", "tool"], 0.45)),
                real(step, *a)[1],
            ),
            {"model_loss": 0.1, "n_threads": 1},
            "of recall lost, 10 % allowed",
        ),
        (
            recoding,
            "settled",
            lambda real, step, *a: (replace(real(step, *a)[0], share={"job": 0.001}), None),
            {"least_share": 0.1},
            "rare in 3 columns",
        ),
    ],
)
def test_a_fault_is_found(monkeypatch, module, name, change, asked, sentence):
    spoiled(monkeypatch, module, name, change)
    assert sentence in refusal(**asked)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"least_share": 0.1, "model_loss": 0.1}, "give one"),
        ({"importance": {"job": 2.0}}, "importance goes with suppress"),
        ({"suppress": 0.1}, "suppress goes with k or another model"),
        ({"suppress": 0.01, "k": 50}, "recode more before, ask for less, or allow more"),
        ({"suppress": 1.0, "k": 2, "l_diversity": 4}, "not even one class of all records does"),
        ({"pram": {"age": 1.5}}, "the chance of column 'age' must be between 0 and 1"),
        ({"pram": {"ill": 0.5}}, "pram names 'ill', which is not a quasi-identifier"),
        ({"model_loss": 0.01, "bins": {}, "quasi": ["wide", "job"]}, "more than the 100 that"),
        ({"quasi": ["job", "one"], "bins": {}, "pram": {"one": 0.5}}, "has 1 categories; pram"),
    ],
)
def test_what_cannot_be_done_gets_a_sentence(options, sentence):
    table = pd.DataFrame(PEOPLE).assign(wide=np.arange(N), one="x")
    drop = [name for name in table if name not in (*options.get("quasi", ROLES["quasi"]), "ill")]
    with pytest.raises(tk.release.InputError) as caught:
        recoded(table, drop=drop, **options)
    assert sentence in str(caught.value)


def test_noise_comes_after_nothing_that_counts_records():
    for step in ({"pram": {"age": 0.5}}, {"suppress": 0.5}, {"least_share": 0.1}):
        with pytest.raises(tk.release.InputError, match="which noise would not cover"):
            recoding._check(SimpleNamespace(role="perturbed"), recoding.Recode(**step))


def test_the_command_says_what_was_exchanged_and_suppressed(tmp_path, capsys):
    source, target = tmp_path / "in.csv", tmp_path / "out.csv"
    pd.DataFrame(PEOPLE).to_csv(source, index=False)
    ask = (
        "--quasi age,job,tool --sensitive ill --bins age=0<30<45<99 --pram job=0.8 "
        "--pram-least 0.3 -k 3 --suppress 0.5 --importance age=2 "
        "--accept-risk inference,linkability --reason test"
    )
    commands.run(["recode", str(source), str(target), *ask.split()])
    out = capsys.readouterr().out
    assert "exchanged   job: " in out
    assert "keeps it with a chance of 0." in out
    assert "suppressed  " in out
    assert pyarrow.csv.read_csv(target).num_rows == N

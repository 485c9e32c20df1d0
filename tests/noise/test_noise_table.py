"""Several attributes under one budget, the estimators, and perturbed releases with their gate."""

import json
import math

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import tokumei as tk
from tokumei import cli
from tokumei.noise.releasing import released
from tokumei.release.perturb import perturbation as perturb_run

pytestmark = pytest.mark.filterwarnings("ignore::tokumei.noise.NotPrivateWarning")
Attribute = tk.noise.Attribute

RNG = np.random.default_rng(5)
ROWS = 400
AGES = RNG.integers(17, 91, size=ROWS)
INCOMES = np.round(RNG.gamma(3, 9000, size=ROWS), 2)
SEXES = RNG.choice(["f", "m"], size=ROWS)
AGE = Attribute(17, 90, integer=True)
INCOME = Attribute(0, 200_000, mechanism="square-wave", cells=40)
SEX = Attribute(categories=["f", "m"])
TABLE = [AGES, INCOMES, SEXES]
ATTRIBUTES = [AGE, INCOME, SEX]


# Tables.


def test_several_attributes_share_one_budget():
    done = tk.noise.perturb(TABLE, ATTRIBUTES, k=3)
    assert done.rows == ROWS
    assert done.status == "private"
    assert done.warnings == ()
    assert 3 <= done.k < 3.05
    assert 2 * done.epsilon <= tk.noise.budget(ROWS, 3)
    assert set(done.columns[2].tolist()) == {"f", "m"}
    epsilons = [channels[0].epsilon for channels in done.channels]
    assert max(epsilons) - min(epsilons) < 0.02


def test_weights_split_the_budget():
    weighted = [Attribute(17, 90, integer=True, weight=3), Attribute(categories=["f", "m"])]
    (ages,), (sexes,) = tk.noise.plan(weighted, ROWS, 3)
    assert ages.epsilon == pytest.approx(3 * sexes.epsilon, rel=1e-3)


def test_rows_are_shuffled_and_stay_together():
    # With so few cells apart that noise never confuses them, rows are told from their values.
    x = np.arange(ROWS, dtype=float)
    wide = Attribute(0, 1e9, integer=True)
    channels = [[tk.noise.laplace(0.01, lower=0, upper=1e9, integer=True)]] * 2
    done = released([x, 2 * x], [wide] * 2, channels, called=["a", "b"])
    first, second = done.columns
    assert (first != x).mean() > 0.9
    np.testing.assert_array_equal(second, 2 * first)
    assert sorted(first.tolist()) == x.tolist()
    kept = released([x], [wide], channels[:1], called=["a"], keep_order=True)
    np.testing.assert_array_equal(kept.columns[0], x)
    assert "keep their order" in kept.warnings[0]


def test_bounds_of_the_data_are_taken_only_when_told_and_warned_of():
    with pytest.raises(ValueError, match="column 0 has no public bounds"):
        tk.noise.perturb([AGES], [Attribute(integer=True)], k=3)
    done = tk.noise.perturb([AGES], [Attribute(integer=True)], k=3, bounds="data")
    assert done.channels[0][0].upper == AGES.max()
    assert len(done.warnings) == 1
    assert "taken from the data" in done.warnings[0]
    assert done.report()["warnings"] == list(done.warnings)


def test_a_seed_marks_the_result_as_not_private():
    first, again = (
        tk.noise.perturb(TABLE, ATTRIBUTES, k=3, insecure_seed_for_tests=9) for _ in range(2)
    )
    assert first.status == first.report()["status"] == "not private"
    for a, b in zip(first.columns, again.columns, strict=True):
        assert a.tolist() == b.tolist()


def test_missing_values_are_refused_or_a_category_with_a_share():
    holes = AGES.astype(float)
    holes[::4] = np.nan
    with pytest.raises(ValueError, match="column 0 has 100 missing values"):
        tk.noise.perturb([holes], [AGE], k=3)
    counted = Attribute(17, 90, integer=True, missing="category", missing_weight=2)
    done = tk.noise.perturb([holes], [counted], k=3, insecure_seed_for_tests=2)
    values, flag = done.channels[0]
    assert flag.epsilon == pytest.approx(2 * values.epsilon, rel=0.02)
    assert 3 <= done.k < 3.2
    keeps = flag.retention
    expected = 100 * keeps + 300 * (1 - keeps)
    assert abs(int(np.isnan(done.columns[0]).sum()) - expected) < 5 * math.sqrt(100)
    report = done.report()["attributes"][0]
    assert report["missing_epsilon"] == flag.epsilon


def test_a_missing_category_is_one_more_category():
    cells = [None if i % 3 == 0 else sex for i, sex in enumerate(SEXES)]
    with pytest.raises(ValueError, match="column 0 has 134 missing values"):
        tk.noise.perturb([cells], [SEX], k=3)
    done = tk.noise.perturb([cells], [Attribute(categories=["f", "m"], missing="category")], k=3)
    assert done.channels[0][0].cells == 3
    assert set(done.columns[0].tolist()) == {"f", "m", None}


def test_ordered_categories_can_go_through_the_square_wave():
    bands = Attribute(categories=list("abcdefgh"), mechanism="square-wave", reach=1)
    done = tk.noise.perturb([list("abcdefgh") * 20], [bands], k=2)
    assert set(done.columns[0].tolist()) <= set("abcdefgh")


WRONG = {
    "half bounds": (lambda: Attribute(1), "given together"),
    "reversed": (lambda: Attribute(2, 1), "lower must be below upper"),
    "mechanism": (lambda: Attribute(0, 1, mechanism="gauss"), "mechanism must be one of"),
    "weight": (lambda: Attribute(0, 1, weight=0), "weight must be above 0"),
    "missing": (lambda: Attribute(0, 1, missing="impute"), "missing must be one of"),
    "one category": (lambda: Attribute(categories=["a"]), "at least two different"),
    "twice": (lambda: Attribute(categories=["a", "b", "a"]), "each named once"),
    "letters": (lambda: Attribute(categories="ab"), "a list of values"),
    "laplace": (
        lambda: Attribute(categories=["a", "b"], mechanism="laplace"),
        "cannot have Laplace noise",
    ),
    "option": (lambda: Attribute(0, 1, reach=2), "reach is an option of square-wave"),
    "nothing": (lambda: tk.noise.perturb([], [], k=2), "must be as many: 0 and 0"),
    "no plan": (lambda: tk.noise.plan([], 10, 2), "at least one attribute"),
    "lengths": (
        lambda: tk.noise.perturb([[1, 2, 3], [1, 2]], [Attribute(0, 9)] * 2, k=2),
        "equally long",
    ),
    "k": (lambda: tk.noise.perturb([[1, 2]], [Attribute(0, 9)], k=2), "below the number of"),
    "text": (lambda: tk.noise.perturb([["a", "b"]], [Attribute(0, 9)], k=2), "numbers"),
    "infinite": (
        lambda: tk.noise.perturb([[1, math.inf, 2]], [Attribute(0, 9)], k=2),
        "column 0 has 1 infinite",
    ),
    "strange": (
        lambda: tk.noise.perturb([["a", "secret", "b"]], [Attribute(categories=["a", "b"])], 2),
        "column 0 has 1 values that are none of its categories",
    ),
    "outside": (
        lambda: tk.noise.perturb([[1, 2, 99]], [Attribute(0, 9)], k=2, names=["age"]),
        "column 'age' has 1 of 3 values outside the bounds 0 to 9",
    ),
    "weight of no number": (
        lambda: tk.noise.perturb(
            [[1, 2, 3], [1, 2, 3]], [Attribute(0, 9), Attribute(0, 9, weight=math.nan)], k=2
        ),
        "weight must be finite",
    ),
    "constant data": (
        lambda: tk.noise.perturb([[7.25] * 4], [Attribute()], k=2, bounds="data"),
        "all values are equal",
    ),
    "empty data": (
        lambda: tk.noise.perturb(
            [[math.nan] * 4], [Attribute(missing="category")], k=2, bounds="data"
        ),
        "no values to take bounds from",
    ),
    "broken data": (
        lambda: tk.noise.perturb([[1, 2.5, 3]], [Attribute(integer=True)], k=2, bounds="data"),
        "must be whole numbers; 1 of 3",
    ),
}


@pytest.mark.parametrize("what", WRONG)
def test_wrong_tables_get_a_clear_answer(what):
    call, sentence = WRONG[what]
    with pytest.raises(ValueError, match=sentence) as caught:
        call()
    assert "secret" not in str(caught.value)
    assert "7.25" not in str(caught.value)


# Estimators.

ESTIMATORS = [
    tk.LaplaceNoise(k=3, lower=[0, 0], upper=[100, 10]),
    tk.RandomizedResponseNoise(k=3, lower=0, upper=100, cells=8, max_retention=0.6),
    tk.SquareWaveNoise(k=3, lower=0, upper=100, cells=20, weights=[2, 1]),
]
X = RNG.uniform(0, 10, size=(60, 2))


@pytest.mark.parametrize("noise", ESTIMATORS, ids=lambda noise: type(noise).__name__)
def test_estimators_are_the_functions_in_another_shape(noise):
    base = pytest.importorskip("sklearn.base")
    noise = base.clone(noise).set_params(insecure_seed_for_tests=4)
    released = noise.fit_transform(X)
    assert released.shape == X.shape
    assert 3 <= noise.report_["k"] < 3.3
    assert noise.report_["status"] == "not private"
    assert [channel.mechanism for channel in noise.channels_] == [noise._mechanism] * 2
    planned = tk.noise.plan(noise._attributes, 60, 3)
    assert [c.exact_epsilon for c in noise.channels_] == [c.exact_epsilon for (c,) in planned]
    np.testing.assert_array_equal(noise.transform(X), released)
    assert "k=3" in repr(noise)
    with pytest.raises(ValueError, match="59 records need more noise than the 60"):
        noise.transform(X[:59])
    with pytest.raises(ValueError, match="X has 1 columns, but 2 were fitted"):
        noise.transform(X[:, :1])


def test_estimators_need_public_bounds_and_a_fit():
    with pytest.raises(ValueError, match="must be public bounds"):
        tk.LaplaceNoise(k=3).fit(X)
    with pytest.raises(ValueError, match="lower must be one number, or one for each of the 2"):
        tk.LaplaceNoise(k=3, lower=[1, 2, 3], upper=4).fit(X)
    with pytest.raises(ValueError, match="this LaplaceNoise is not fitted yet"):
        tk.LaplaceNoise(k=3, lower=0, upper=9).transform(X)


# Releases.

FRAME = {"name": [f"n{i}" for i in range(ROWS)], "age": AGES, "income": INCOMES, "sex": SEXES}
ROLES = {"attributes": {"age": AGE, "income": INCOME, "sex": SEX}, "identifier": ["name"]}


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame, pa.table])
def test_a_dataframe_comes_out_as_it_came_without_identifiers(kind):
    table = kind({name: list(values) for name, values in FRAME.items()})
    release = tk.release.perturb(table, k=3, **ROLES)
    assert type(release.table) is type(table)
    assert list(release.table.columns if kind is not pa.table else release.table.column_names) == [
        "age", "income", "sex",
    ]  # fmt: skip
    audit = release.audit
    assert audit["verdict"] == "released"
    assert audit["random_numbers"] == "operating system"
    assert audit["achieved"]["rows"] == ROWS
    assert audit["achieved"]["columns"]["age"]["mechanism"] == "laplace"
    assert audit["achieved"]["columns"]["sex"]["categories"] == 2
    assert all(check["verdict"] == "passed" for check in audit["checks"])
    json.dumps(audit)


def test_the_released_type_follows_from_what_is_known():
    table = pa.table(FRAME)
    holes = {"age": Attribute(17, 90, integer=True, missing="category"), "income": INCOME}
    for attributes, kinds in (
        (ROLES["attributes"], [pa.int64(), pa.float64(), pa.large_string()]),
        (holes, [pa.float64(), pa.float64()]),
    ):
        done = tk.release.perturb(table, k=3, attributes=attributes, drop="*").table
        for kind, expected in zip(done.schema.types, kinds, strict=True):
            assert kind == expected or {kind, expected} == {pa.string(), pa.large_string()}


def test_a_column_without_a_role_is_refused():
    with pytest.raises(tk.release.Refused, match="'income', 'sex' have none") as refused:
        tk.release.perturb(pa.table(FRAME), attributes={"age": AGE}, identifier=["name"])
    assert refused.value.audit["output"] is None
    with pytest.raises(tk.release.InputError, match="at least one column to perturb"):
        tk.release.perturb(pa.table(FRAME), attributes={}, drop="*")
    with pytest.raises(tk.release.InputError, match="attributes must map columns"):
        tk.release.perturb(pa.table(FRAME), attributes=[AGE])
    with pytest.raises(tk.release.InputError, match="named twice"):
        tk.release.perturb(pa.table(FRAME), drop=["age"], **ROLES)


def test_noise_from_a_seed_is_never_released():
    with pytest.raises(tk.release.Refused, match="the noise is not private") as refused:
        tk.release.perturb(pa.table(FRAME), k=3, insecure_seed_for_tests=1, **ROLES)
    assert refused.value.audit["random_numbers"] == "a seed: not private"


def test_bounds_of_the_data_are_warned_of_in_the_audit_and_not_shown():
    attributes = {"income": Attribute()}
    table = pa.table(FRAME)
    done = tk.release.perturb(table, k=3, attributes=attributes, drop="*", bounds="data")
    told = done.audit["achieved"]
    assert "column 'income' were taken from the data" in told["warnings"][0]
    assert (told["columns"]["income"]["lower"], told["columns"]["income"]["upper"]) == (None, None)
    assert str(INCOMES.max()) not in json.dumps(done.audit)


CLUMSY = {
    "another value": (
        lambda table: table.set_column(0, "age", pa.array([17.5] * ROWS)),
        "released values can come out of the noise: 400 cells",
    ),
    "as it was": (
        lambda table: table.set_column(0, "age", pa.array(AGES)),
        "noise was added: 0 records changed",
    ),
    "a row less": (lambda table: table.slice(1), "as many rows out as in: 400 in, 399 out"),
    "identifiers": (
        lambda table: table.append_column("name", pa.array(FRAME["name"])),
        "identifiers are gone: still there: column 'name'",
    ),
    "a null": (
        lambda table: table.set_column(0, "age", pa.array([None] * ROWS, pa.int64())),
        "released values can come out of the noise: 400 cells",
    ),
    "metadata": (
        lambda table: table.replace_schema_metadata({"source": "here"}),
        "no index or metadata: found: source",
    ),
}


@pytest.mark.parametrize("what", CLUMSY)
def test_the_gate_sees_what_went_wrong(what, monkeypatch):
    spoil, sentence = CLUMSY[what]
    real = perturb_run._released
    frame_of = perturb_run.frames.frame_of

    def clumsy(*arguments):
        return frame_of(spoil(real(*arguments).to_native()))

    monkeypatch.setattr(perturb_run, "_released", clumsy)
    with pytest.raises(tk.release.Refused, match=sentence):
        tk.release.perturb(pa.table(FRAME), k=3, **ROLES)


def test_the_gate_computes_the_budget_again(monkeypatch):
    real = tk.noise.table.plan
    monkeypatch.setattr(
        tk.noise.table, "plan", lambda attributes, n, k, **names: real(attributes, n, 2, **names)
    )
    with pytest.raises(tk.release.Refused, match="the budget holds: linkage is bounded by 1/2"):
        tk.release.perturb(pa.table(FRAME), k=9, **ROLES)


# The command.


@pytest.fixture
def people(tmp_path):
    path = tmp_path / "people.csv"
    pd.DataFrame(FRAME).to_csv(path, index=False)
    return path


@pytest.fixture
def tokumei_(capsys):
    def run(*arguments):
        with pytest.raises(SystemExit) as end:
            cli.main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return end.value.code, captured.out, captured.err

    return run


COLUMNS = ["--column", "age:17:90:integer", "--column", "income:0:200000", "--column", "sex:f|m"]


@pytest.mark.parametrize("ending", ["csv", "parquet", "arrow"])
def test_a_file_is_perturbed_and_summed_up(tokumei_, people, tmp_path, ending):
    target = tmp_path / f"out.{ending}"
    code, out, err = tokumei_(
        "perturb", people, target, "-k", 3, *COLUMNS, "--identifier", "name", "--share", "age=2",
        "--mechanism", "income=square-wave", "--cells", "income=40",
    )  # fmt: skip
    assert (code, err) == (0, "")
    assert "linkage     at most 1/3" in out
    assert "noise       private" in out
    assert "checks      8 of 8 passed" in out
    audit = json.loads((tmp_path / f"out.{ending}.audit.json").read_text())
    ages, incomes, sexes = (audit["achieved"]["columns"][n] for n in ("age", "income", "sex"))
    assert ages["epsilon"] == pytest.approx(2 * incomes["epsilon"], rel=0.01)
    assert (incomes["mechanism"], incomes["cells"]) == ("square-wave", 40)
    assert sexes["mechanism"] == "randomized-response"
    assert audit["job"]["roles"]["name"] == "identifier"
    if ending == "parquet":
        assert pq.read_table(target).column_names == ["age", "income", "sex"]
    if ending == "csv":
        assert target.read_text().splitlines()[0] == "age,income,sex"
        assert "n17" not in target.read_text()


def test_missing_cells_are_released_as_missing_now_and_then(tokumei_, tmp_path):
    source, target = tmp_path / "in.csv", tmp_path / "out.csv"
    source.write_text("age,sex\n" + "30,f\n,\n41,m\n" * 60)
    columns = ["--column", "age:17:90:integer", "--column", "sex:f|m"]
    code, _, err = tokumei_("perturb", source, target, *columns)
    assert code == 2
    assert "column 'age' has 60 missing values" in err
    code, _, err = tokumei_("perturb", source, target, *columns, "--missing", "category")
    assert (code, err) == (0, "")
    cells = [line.split(",") for line in target.read_text().splitlines()[1:]]
    assert 0 < sum(not age for age, _ in cells) < 180
    assert 0 < sum(not sex for _, sex in cells) < 180


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--column", "age"], "column 'age' has no public bounds"),
        (["--column", "age:17"], "categories must be at least two"),
        (["--column", "age:a:b"], "a column is written as"),
        (["--column", "age:1:2:3"], "a column is written as"),
        (["--column", ":1:2"], "a column is written as"),
        (["--column", "age:90:17"], "column 'age': lower must be below upper"),
        (["--column", "agee:17:90"], "did you mean 'age'?"),
        (["--column", "age:17:90", "--column", "age:1:2"], "each column is named once"),
        (["--column", "age:20:30:integer"], "values outside the bounds 20 to 30"),
        (["--column", "income:0:200000:integer"], "must hold whole numbers"),
        (["--column", "sex:0:1"], "column 'sex' has 400 cells that are not numbers"),
        (["--column", "sex:f|x"], "values that are none of its categories"),
        (["--column", "age:17:90", "--mechanism", "gauss"], "mechanism must be one of"),
        (["--column", "age:17:90", "--mechanism", "b=laplace"], "mechanism names 'b'"),
        (["--column", "age:17:90", "--mechanism", "square-wave"], "cells must be given"),
        (["--column", "age:17:90", "--share", "age"], "share is written as name=word"),
        (["--column", "age:17:90", "--share", "age=big"], "share is written as name=number"),
        (["--column", "age:17:90", "-k", "400"], "below the number of records"),
        (["--column", "age:17:90", "-k", "1"], "k must be at least 2"),
        (["--column", "age:17:90", "--bounds", "mine"], "bounds must be one of"),
    ],
)
def test_wrong_usage_is_2_and_a_sentence(tokumei_, people, tmp_path, options, sentence):
    code, out, err = tokumei_("perturb", people, tmp_path / "o.csv", *options, "--drop", "*")
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert sentence in err
    assert not (tmp_path / "o.csv").exists()


def test_a_refusal_is_3_and_leaves_the_target(tokumei_, people, tmp_path):
    target = tmp_path / "o.csv"
    target.write_text("an older release")
    code, out, err = tokumei_("perturb", people, target, *COLUMNS, "--json")
    assert code == 3
    assert json.loads(out)["verdict"] == "refused"
    assert "every column has a role: column 'name' has none" in err
    assert target.read_text() == "an older release"


def test_without_random_bytes_nothing_is_written(tokumei_, people, tmp_path, monkeypatch):
    from tokumei.noise import generator

    monkeypatch.setattr(generator.os, "urandom", lambda count: bytes(count))
    code, out, err = tokumei_("perturb", people, tmp_path / "o.csv", *COLUMNS, "--drop", "*")
    assert (code, out) == (2, "")
    assert "random bytes are not random" in err
    assert [path.name for path in tmp_path.iterdir()] == ["people.csv"]

"""The report says what was decided, lost and risked, and shows nobody."""

import base64
import copy
import hashlib
import json
import re
import stat

import numpy as np
import pyarrow as pa
import pytest
from builders.canaries import CANARY, LARGEST, SMALLEST
from builders.canaries import people as with_canaries
from builders.people import ACCEPTED, ROLES, people

import tokumei as tk
from tokumei import commands
from tokumei.release.histograms import LEAST, histograms_of
from tokumei.release.io.frames import frame_of
from tokumei.release.mask.step import Microaggregate
from tokumei.release.schema import Columns

ASK = {"quasi": ["age", "pay", "job"], "identifier": ["name"], "sensitive": ["size"]}


@pytest.fixture(scope="module")
def released():
    table, _ = with_canaries()
    return tk.release.mask(pa.table(table), 5, **ASK, accept_risk=ACCEPTED)


def histogram(before, after):
    frames = [frame_of(pa.table({"x": one})) for one in (before, after)]
    return histograms_of(*frames, ["x"], Columns()).get("x")


def counts(shares, rows):
    return np.round(np.array(shares) * rows)


@pytest.mark.parametrize("seed", range(8))
def test_no_bin_of_numbers_is_small_and_none_ends_at_an_extreme(seed):
    rng = np.random.default_rng(seed)
    x = rng.lognormal(3, 1 + seed / 4, 500)
    y = tk.microaggregate(x[:, None], 5)[:, 0]
    found = histogram(x.tolist(), y.tolist())
    for side, values in (("before", x), ("after", y)):
        bins = np.bincount(np.searchsorted(found["edges"], values, "right"))
        assert bins.min() >= LEAST
        assert counts(found[side], 500).tolist() == bins.tolist()
    assert x.min() < found["edges"][0]
    assert found["edges"][-1] < x.max()


@pytest.mark.parametrize("far", [float("inf"), 1e300, 1e-300])
def test_numbers_that_cannot_be_drawn_are_left_out(far):
    x = [1.0] * 30 + [far] * 30
    found = histogram(x, x)
    assert found is None or all(np.isfinite(found["edges"]))


def test_categories_of_few_are_told_together():
    before = ["a"] * 200 + ["b"] * 100 + ["c"] * 30 + ["d"] * 3
    after = ["a"] * 210 + ["b"] * 90 + ["c"] * 33
    found = histogram(before, after)
    assert found["names"] == ["a", "b", "all others"]
    assert counts(found["before"], 333).tolist() == [200, 100, 33]
    assert histogram(["a"] * 20 + ["b"] * 3, ["a"] * 23) is None


def test_a_page_shows_no_rare_category_and_no_extreme(released):
    page = tk.release.report(released)
    assert CANARY not in page
    for extreme in (LARGEST, SMALLEST):
        assert str(int(abs(extreme)))[:4] not in page.replace(",", "")
    assert page.count("<svg") == 3


def test_a_page_loads_nothing_and_runs_nothing(released):
    page = tk.release.report(released)
    style = re.search(r"<style>(.*?)</style>", page, re.S).group(1)
    allowed = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert f"default-src 'none'; style-src 'sha256-{allowed}'" in page
    assert not re.search(r"<script|<link|<img|<iframe|https?:|url\(|@import|\son\w+=|style=", page)


def test_names_of_columns_are_no_markup():
    name = "<script>alert('age')</script>"
    table = pa.table({name: [20, 20, 30, 30] * 10, "n": range(40)})
    made = tk.release.mask(table, 2, quasi=[name], drop=["n"], accept_risk=ACCEPTED)
    page = tk.release.report(made)
    assert "<script" not in page
    assert "&lt;script&gt;alert(&#39;age&#39;)&lt;/script&gt;" in page


def test_a_public_page_is_that_of_the_audit(released):
    public = tk.release.report(released, public=True)
    assert public == tk.release.report(released.audit)
    assert "<svg" not in public
    assert "Internal" not in public
    assert "<svg" in tk.release.report(released.record)


def test_a_page_says_the_risks_with_their_thresholds_and_reasons(released):
    page = tk.release.report(released)
    risk = next(one for one in released.audit["checks"] if one["check"] == "inference")
    assert f"{risk['figures']['lower']:.3f}&nbsp;to&nbsp;{risk['figures']['upper']:.3f}" in page
    assert f'<td class="number" data-of="allowed">{risk["figures"]["allowed"]:g}</td>' in page
    few = tk.release.report(tk.release.mask(pa.table(people()), 2, **ROLES))
    assert "accepted by a person" in few
    assert "invented people, for a test" in few


def test_a_page_stays_small_whatever_the_table(released):
    record = copy.deepcopy(released.record)
    achieved, roles = record["achieved"], record["job"]["roles"]
    for number in range(20_000):
        name = f"a column with a rather long name, number {number}"
        roles[name] = "quasi"
        achieved["losses"][name] = achieved["losses"]["age"]
        achieved["histograms"][name] = achieved["histograms"]["age"]
    page = tk.release.report(record)
    assert len(page.encode()) < 2e6
    assert "and 19803 more" in page  # of 20,003 quasi-identifiers


def test_a_comparison_stands_beside_it(released):
    table, _ = with_canaries()
    job = tk.release.Job(
        (Microaggregate(),),
        (tk.privacy.KAnonymity(),),
        Columns(quasi=["age", "pay"], identifier=["name"], drop=["job", "size"]),
    )
    found = tk.release.compare(job, pa.table(table), k=[3, 10], methods=["mdav"])
    page = tk.release.report(released, comparison=found)
    assert f"Recommended of those compared: mdav, k = {found.recommended.k}" in page
    assert page.count("<circle") == 2
    with pytest.raises(tk.release.InputError, match="not what compare --json prints"):
        tk.release.report(released, comparison={"settings": []})


def test_what_is_no_audit_is_refused(tmp_path):
    (tmp_path / "x.json").write_text("[]")
    (tmp_path / "x.csv").write_text("a\n1\n")
    with pytest.raises(tk.release.InputError, match=r"x\.json is no audit of a release"):
        tk.release.report(tmp_path / "x.json")
    with pytest.raises(tk.release.InputError, match=r"x\.csv has no audit beside it"):
        tk.release.report(tmp_path / "x.csv")
    with pytest.raises(tk.release.InputError, match="this is no audit of a release"):
        tk.release.report({"verdict": "released"})


@pytest.fixture
def file(tmp_path):
    table, _ = with_canaries()
    rows = zip(*table.values(), strict=True)
    lines = [",".join(table), *(",".join(map(str, row)) for row in rows)]
    (tmp_path / "in.csv").write_text("\n".join(lines) + "\n")
    return tmp_path / "in.csv"


MASK = "--quasi age,pay,job --identifier name --sensitive size --accept-risk inference --reason ok"


def test_commands_and_jobs_write_it(file, capsys):
    folder = file.parent
    told = ["--report", str(folder / "r.html"), "--recipient", "A & B", "--review", "2031-05-01"]
    ask = ["mask", str(file), str(folder / "out.csv"), *MASK.split(), "--quiet", *told]
    commands.run([*ask, "--save-job", str(folder / "job.toml")])
    page = (folder / "r.html").read_text()
    assert "A &amp; B" in page
    assert "2031-05-01" in page
    assert stat.S_IMODE((folder / "r.html").stat().st_mode) == 0o600
    commands.run(["report", str(folder / "out.csv"), str(folder / "again.html")])
    assert (folder / "again.html").read_text() == page
    audit = json.loads((folder / "out.csv.audit.json").read_text())
    assert audit["job"]["report"]["recipient"] == "A & B"
    (folder / "r.html").unlink()
    commands.run(["run", str(folder / "job.toml"), "--quiet"])
    assert "A &amp; B" in (folder / "r.html").read_text()
    (folder / "out.csv").write_text("age\n1\n")
    with pytest.raises(tk.release.InputError, match=r"out\.csv is not the file"):
        commands.run(["report", str(folder / "out.csv"), str(folder / "again.html")])


def test_a_refusal_has_one_too(file):
    with pytest.raises(tk.release.Refused):
        commands.run(
            ["mask", str(file), str(file.parent / "out.csv"), "--quasi", "age", "--report",
             str(file.parent / "r.html")]
        )  # fmt: skip
    page = (file.parent / "r.html").read_text()
    assert '<span class="verdict refused">refused</span>' in page
    assert "every column has a role: failed" in page


@pytest.mark.parametrize(
    ("report", "sentence"),
    [
        ("out.csv", "report must end in .html"),
        ("nowhere/r.html", "cannot write the report r.html: its folder is not there"),
    ],
)
def test_a_report_has_a_place_before_the_work_begins(file, report, sentence):
    target = file.parent / "out.csv"
    with pytest.raises(tk.release.InputError, match=sentence):
        commands.run(
            ["mask", str(file), str(target), *MASK.split(), "--report", str(file.parent / report)]
        )
    assert not target.exists()


def test_a_day_of_review_is_a_day(file):
    with pytest.raises(tk.release.InputError, match="review must be a day, such as 2030-12-31"):
        commands.run(
            ["mask", str(file), str(file.parent / "o.csv"), *MASK.split(), "--review", "soon"]
        )


@pytest.mark.parametrize("width", [375, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_browser_shows_all_of_it_and_complains_of_nothing(released, browser, width, scheme):
    context = browser.new_context(
        viewport={"width": width, "height": 800}, color_scheme=scheme, java_script_enabled=True
    )
    page, said = context.new_page(), []
    page.on("console", lambda message: said.append(message.text))
    page.on("request", lambda request: said.append(request.url))
    page.set_content(tk.release.report(released))
    outside = page.evaluate(
        "[...document.body.querySelectorAll('*')].filter(e => {"
        " const b = e.getBoundingClientRect(); return b.width && (b.right > innerWidth + 1 ||"
        " b.left < -1 || (e.scrollWidth > e.clientWidth + 1 && e.clientWidth)); })"
        ".map(e => e.outerHTML.slice(0, 80))"
    )
    assert outside == []
    assert said == []
    context.close()


def test_what_recoding_did_besides_merging_is_said_in_words():
    rng = np.random.default_rng(4)
    table = {"a": rng.choice(list("pqrs"), 300), "b": rng.choice(list("xyz"), 300)}
    made = tk.release.recode(
        pa.table(table),
        quasi=["a", "b"],
        pram={"a": 0.8},
        suppress=0.6,
        k=15,
        accept_risk=ACCEPTED,
    )
    page = tk.release.report(made)
    assert "Categories were exchanged by chance" in page
    assert "keeps it with a chance of" in page
    share = made.audit["achieved"]["suppressed"]
    assert "Single cells were emptied" in page
    assert all(f"{part:.2%} of {name}" in page for name, part in share.items())
    learned = tk.release.recode(pa.table(table), quasi=["a", "b"], model_loss=0.5, n_threads=1)
    assert "models that are learned from the table" in tk.release.report(learned)

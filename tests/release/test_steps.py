"""A job of several steps: done one after another, judged at the end, or refused in a sentence."""

from collections import Counter
from dataclasses import replace

import pyarrow as pa
import pytest

import tokumei as tk
from tokumei import _check
from tokumei.noise import Attribute
from tokumei.privacy import KAnonymity, LDiversity, PkAnonymity
from tokumei.release import job_files
from tokumei.release.io import frames
from tokumei.release.job import Job
from tokumei.release.mask.step import Microaggregate
from tokumei.release.perturb.step import Perturb
from tokumei.release.recode.step import Recode
from tokumei.release.schema import Columns
from tokumei.release.sections import Gate, Output

PEOPLE = {
    "name": [f"P{i}" for i in range(24)],
    "age": [18 + 3 * i for i in range(24)],
    "job": ["cook", "farm", "wood", "cook", "smith", "cook"] * 4,
    "ill": ["yes", "no", "no"] * 8,
}
COLUMNS = Columns(quasi=["age", "job"], identifier=["name"], sensitive=["ill"])
FEW = {"too few records": "invented people, for a test"}
KEPT = Output(keep_order=True)
K = (KAnonymity(4),)


def job_of(*steps, models=K, schema=COLUMNS, gate=None):
    gate = gate or Gate(accept_risk=FEW if K[0] in models else {})
    return Job(steps, models, schema, output=KEPT, gate=gate)


def run(*steps, **about):
    return tk.release.run(job_of(*steps, **about), pa.table(PEOPLE))


def refused(*steps, **about):
    with pytest.raises(tk.release.InputError) as caught:
        run(*steps, **about)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def classes(table):
    return Counter(zip(table["age"].to_pylist(), table["job"].to_pylist(), strict=True))


def test_steps_are_done_one_after_another():
    merged = Recode(share={"job": 0.3})
    release = run(merged, Microaggregate())
    assert set(release.table["job"].to_pylist()) <= {"cook", "farm/smith/wood"}
    assert min(classes(release.table).values()) >= 4
    between = tk.release.recode(
        pa.table(PEOPLE), quasi=["age", "job"], identifier=["name"], sensitive=["ill"],
        share={"job": 0.3}, keep_order=True,
    ).table  # fmt: skip
    roles = {"quasi": ["age", "job"], "sensitive": ["ill"], "keep_order": True}
    roles["accept_risk"] = FEW
    assert release.table.equals(tk.release.mask(between, 4, **roles).table)
    assert [step["do"] for step in release.audit["job"]["steps"]] == ["recode", "microaggregate"]
    achieved = release.audit["achieved"]
    assert achieved["recoded"] == {"job": {"categories_before": 4, "categories": 2}}
    assert achieved["k"] >= 4
    assert achieved["groups"] >= 2


def test_the_order_of_steps_is_part_of_the_job():
    merged = Recode(bins={"age": [0, 50, 100]})
    first, last = job_of(merged, Microaggregate()), job_of(Microaggregate(), merged)
    assert first.sha256 != last.sha256
    table = tk.release.run(last, pa.table(PEOPLE)).table
    assert set(table["age"].to_pylist()) == {"0 to 50", "50 to 100"}


def test_models_are_counted_in_what_the_last_step_left():
    release = run(Microaggregate(), Recode(bins={"age": [0, 100]}))
    assert release.audit["achieved"]["k"] == min(classes(release.table).values()) >= 4


@pytest.mark.parametrize(
    "steps", [(Recode(share={"job": 0.3}), Microaggregate()), (Recode(share={"job": 0.3}),)]
)
def test_a_table_that_loses_k_after_its_last_step_is_refused(monkeypatch, steps):
    real = frames.released

    def spoiled(frame, names, **options):
        made = real(frame, names, **options).to_native()
        age = pa.array([str(number) for number in range(24)])
        return frames.frame_of(made.set_column(made.column_names.index("age"), "age", age))

    monkeypatch.setattr(frames, "released", spoiled)
    with pytest.raises(tk.release.Refused, match="the smallest class has 1 record, 4 asked"):
        run(*steps)


def test_a_step_that_would_undo_an_earlier_one_is_refused():
    noise = Perturb({"age": Attribute(0, 99)})
    both = (KAnonymity(4), PkAnonymity(4))
    assert refused(Microaggregate(), noise, models=both) == (
        "microaggregate and then perturb cannot be one job: k-anonymity, which microaggregate "
        "keeps, cannot be counted again after perturb"
    )
    assert "perturb and then microaggregate cannot" in refused(noise, Microaggregate(), models=both)
    assert "perturb and then recode cannot" in refused(
        noise, Recode(top={"age": 60}), models=(PkAnonymity(4),)
    )
    assert "perturb and then perturb cannot" in refused(noise, noise, models=(PkAnonymity(4),))


def test_a_table_can_be_masked_twice():
    coarse = Microaggregate(represent={"age": "median"})
    assert run(Microaggregate(method="mdav"), coarse).audit["achieved"]["k"] >= 4


def test_a_job_without_steps_is_refused():
    with pytest.raises(tk.release.InputError, match="a job has one step or more"):
        job_of().check()


def test_a_model_that_no_check_counts_is_refused():
    noise = Perturb({"age": Attribute(0, 99)})
    models = (PkAnonymity(4), LDiversity("ill", 2))
    only = Columns(identifier=["name"], drop="*")
    assert refused(noise, models=models, schema=only) == (
        "l-diversity cannot be counted in a table that perturb leaves"
    )
    assert refused(Microaggregate(), models=()) == (
        "microaggregate needs k-anonymity among the models of the job"
    )
    wild = Gate(missing="wildcard")
    assert "decides nothing" in refused(Recode(top={"age": 60}), models=(), gate=wild)
    assert refused(noise, models=(PkAnonymity(4),)) == (
        "perturb knows no option 'quasi' of the schema"
    )


def test_what_is_recoded_by_rules_of_its_own_can_be_perturbed():
    labels = ["0 to 50", "50 to 100"]
    steps = Recode(bins={"age": [0, 50, 100]}), Perturb({"age": Attribute(categories=labels)})
    schema = Columns(identifier=["name"], drop="*")
    about = {"models": (PkAnonymity(2),), "schema": schema}
    release = run(*steps, **about)
    assert set(release.table["age"].to_pylist()) <= set(labels)
    assert release.table.column_names == ["age"]
    assert release.audit["achieved"]["k"] >= 2
    assert "which noise would not cover" in refused(Recode(share={"age": 0.1}), steps[1], **about)


@pytest.mark.parametrize(
    ("step", "sentence"),
    [
        (Recode(share={"ill": 0.1}), "share names 'ill', which is not a quasi-identifier"),
        (Recode(top={"agee": 60}), "top names 'agee', which is not a quasi-identifier"),
        (Recode(), "name at least one column to recode"),
    ],
)
def test_every_column_that_a_step_names_has_its_role(step, sentence):
    assert sentence in refused(step, Microaggregate())


def test_progress_is_that_of_all_steps():
    heard = []
    job = job_of(Recode(share={"job": 0.3}), Microaggregate(effort="fast"))
    tk.release.run(replace(job, run=_check.run(1, heard.append)), pa.table(PEOPLE))
    assert heard == sorted(heard)
    assert all(0.5 <= share <= 1 for share in heard)


def test_a_job_of_several_steps_goes_through_a_file(tmp_path):
    job = job_of(
        Recode(share={"job": 0.3}, rule={"job": "other"}, other_label="rest"),
        Microaggregate(),
        models=(KAnonymity(4), LDiversity("ill", 2)),
        gate=Gate(missing="wildcard"),
    )
    job_files.write(job, tmp_path / "job.toml")
    again = job_files.read(tmp_path / "job.toml", job.run)
    assert again == job
    assert again.sha256 == job.sha256
    with pytest.raises(tk.release.InputError, match="a job has one step or more"):
        job_files.from_sections({"schema": {"quasi": ["age"]}}, "job.toml")

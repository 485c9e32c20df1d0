"""What can be asked for is declared once: hash, audit, command, file and schema follow from it."""

import dataclasses
import inspect
import json
import re
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import pyarrow as pa
import pytest
from builders.options import OTHERS

import tokumei as tk
from tokumei import _check, commands
from tokumei._check.options import keyword_of, option, options_of
from tokumei.commands.derive import words_of
from tokumei.estimators.microaggregator import OF_RECORDS
from tokumei.microaggregation.options import OF_METHOD
from tokumei.noise import Attribute
from tokumei.privacy import (
    BetaLikeness,
    DeltaPresence,
    KAnonymity,
    KMap,
    LDiversity,
    MinHouseholds,
    PkAnonymity,
    TCloseness,
)
from tokumei.release import job as jobs
from tokumei.release import job_files
from tokumei.release.job import STEPS, Job, Step, own_options, shown_of
from tokumei.release.mask.step import Microaggregate
from tokumei.release.perturb.step import Perturb
from tokumei.release.recode.step import Recode
from tokumei.release.schema import Columns
from tokumei.release.sections import Gate, Output, Source

MASKING = Job(
    steps=(Recode(share={"a": 0.05}), Microaggregate()),
    privacy=(
        KAnonymity(),
        LDiversity("a"),
        TCloseness("a", 0.5),
        BetaLikeness("a", 2.0),
        MinHouseholds("a"),
        KMap(3, "/data/all.csv"),
        DeltaPresence(0.5, population="/data/all.csv"),
    ),
    schema=Columns(),
)
PERTURBING = Job(
    steps=(Perturb({"age": Attribute(0, 99)}),), privacy=(PkAnonymity(),), schema=Columns()
)


def sections(job):
    """Every list of options in a job, and how the job looks with another in its place."""
    for each in dataclasses.fields(Job):
        section = getattr(job, each.name)
        if isinstance(section, tuple):
            for place, one in enumerate(section):
                before, after = section[:place], section[place + 1 :]
                yield (
                    one,
                    lambda new, n=each.name, b=before, a=after: replace(job, **{n: (*b, new, *a)}),
                )
        elif each.name != "run":
            yield section, lambda new, name=each.name: replace(job, **{name: new})


def audit_of(job):
    return json.dumps({"sha256": job.sha256, **shown_of(job)}, sort_keys=True)


def changes():
    for job in (MASKING, PERTURBING):
        for options, put in sections(job):
            for each in options_of(type(options)):
                plain, known = job, options
                if each.name in OF_METHOD:
                    known = replace(options, method=OF_METHOD[each.name])
                    plain = put(known)
                if each.name == "tree":
                    known = replace(options, kind="hierarchical", tree={"flu": "ill"})
                    plain = put(known)
                other = replace(known, **{each.name: OTHERS[keyword_of(each)]})
                yield pytest.param(plain, put(other), id=f"{type(options).__name__}.{each.name}")


@pytest.mark.parametrize(("job", "other"), list(changes()))
def test_any_option_changes_the_hash_and_the_audit(job, other):
    assert job.sha256 != other.sha256
    assert audit_of(job) != audit_of(other)


def test_how_a_job_is_run_is_not_hashed():
    assert replace(MASKING, run=_check.run(3, print)).sha256 == MASKING.sha256


def test_a_new_option_changes_no_old_hash():
    @dataclass(frozen=True)
    class Grown(Microaggregate):
        extra: int = option(1, rule=lambda value, name: value, help="New.")

    one = replace(MASKING, steps=(Microaggregate(),))
    assert replace(one, steps=(Grown(),)).sha256 == one.sha256
    assert replace(one, steps=(Grown(extra=2),)).sha256 != one.sha256


def test_every_section_of_a_job_is_hashed():
    hashed = {"steps", "privacy", "schema", "source", "gate", "output", "report"}
    assert {each.name for each in dataclasses.fields(Job)} == {*hashed, "run"}


@pytest.fixture
def throw_away(monkeypatch):
    @dataclass(frozen=True)
    class Blink(Step):
        """A step that is nowhere else."""

        depth: int = option(3, rule=lambda value, name: value, help="How deep it blinks.")
        mood: Literal["calm", "wild"] = option("calm", rule=lambda v, n: v, help="How it blinks.")

        do: ClassVar[str] = "blink"
        columns: ClassVar[tuple[str, ...]] = ("quasi",)
        models: ClassVar[tuple[type, ...]] = (KAnonymity,)
        keeps: ClassVar[type] = KAnonymity

    monkeypatch.setitem(STEPS, "blink", Blink)
    return Blink


def test_a_field_of_a_step_reaches_command_file_schema_and_audit(throw_away):
    words = {word.name: word for word in words_of([throw_away], {})}
    assert words["depth"].help == "How deep it blinks."
    assert set(words) == {"depth", "mood"}
    job = job_files.from_sections({"steps": [{"do": "blink", "depth": 5}]}, "job.toml")
    assert job.steps == (throw_away(depth=5),)
    schema = next(
        one
        for one in job_files.schema()["properties"]["steps"]["items"]["oneOf"]
        if one["properties"]["do"] == {"const": "blink"}
    )
    assert schema["properties"]["depth"]["description"] == "How deep it blinks."
    assert schema["properties"]["mood"]["enum"] == ["calm", "wild"]
    assert shown_of(job)["steps"] == [{"do": "blink", "depth": 5, "mood": "calm"}]
    with pytest.raises(tk.release.InputError, match=r"no option 'dept'; did you mean 'depth'\?"):
        job_files.from_sections({"steps": [{"do": "blink", "dept": 5}]}, "job.toml")
    with pytest.raises(tk.release.InputError, match=r"steps\[0\].mood: Input should be 'calm'"):
        job_files.from_sections({"steps": [{"do": "blink", "mood": "sad"}]}, "job.toml")


def wanted(step):
    """The keywords that a function of this step has, with their defaults."""
    found = {}
    known = {Columns: step.columns, Gate: step.gate}
    for kind in (Columns, *step.models, step, Source, Gate, Output):
        for each in options_of(kind):
            if each.name in ("path", "column") or each.name not in known.get(kind, (each.name,)):
                continue
            first = hasattr(kind, "model") and own_options(kind)[0] == each
            found[keyword_of(each)] = None if first and kind is not step.keeps else each.default
    return found


def lacking(function, step, *, file):
    """The options that a signature lacks, or has with another default."""
    parameters = inspect.signature(function).parameters
    wrong = []
    for keyword, default in wanted(step).items():
        if keyword in ("delimiter", "header", "encoding") and not file:
            continue
        if keyword == "files":  # of data sets alone
            continue
        told = parameters[keyword].default if keyword in parameters else "absent"
        same = told == default or (told is None and default is dataclasses.MISSING)
        needed = told is inspect.Parameter.empty and keyword in ("quasi", "attributes")
        if not same and not needed:
            wrong.append(keyword)
    return wrong


@pytest.mark.parametrize(
    ("function", "step", "file"),
    [
        (tk.release.mask, Microaggregate, False),
        (tk.release.mask_file, Microaggregate, True),
        (tk.release.recode, Recode, False),
        (tk.release.recode_file, Recode, True),
        (tk.release.perturb, Perturb, False),
        (tk.release.perturb_file, Perturb, True),
    ],
)
def test_signatures_have_every_option_with_its_default(function, step, file):
    assert lacking(function, step, file=file) == []
    extra = {"table", "source", "target", "n_threads", "callback"}
    assert set(inspect.signature(function).parameters) - set(wanted(step)) <= extra


def test_all_that_partition_can_do_can_be_asked_of_masking_its_command_and_the_estimator(capsys):
    named = {"record_weights": "weight", "households": "household", "n_threads": "threads"}
    # What is categorical says `kinds` of masking; the estimator publishes means, of numbers only.
    can = set(inspect.signature(tk.partition).parameters) - {"X", "k", "categorical"}
    for function in (tk.release.mask, tk.release.mask_file):
        keywords = set(inspect.signature(function).parameters)
        assert {named.get(each, each) for each in can - {"n_threads"}} <= keywords
    assert can <= {*inspect.signature(tk.Microaggregator).parameters, *OF_RECORDS}
    commands.run(["mask", "--help"])
    words = set(re.findall(r"--([a-z0-9-]+)", capsys.readouterr().out))
    lacking = {named.get(each, each).replace("_", "-") for each in can - {"callback"}} - words
    assert lacking == set()


def test_masking_a_data_set_has_the_options_of_masking_a_file_with_their_defaults():
    of_file = inspect.signature(tk.release.mask_file).parameters
    of_dataset = inspect.signature(tk.release.mask_dataset).parameters
    own = {"files", "pieces", "consume", "cluster", "memory_limit", "encryption_key"}
    own |= {"storage_options", "staging"}
    assert set(of_dataset) - set(of_file) == own
    shared = set(of_dataset) - own - {"source"}
    assert [n for n in shared if of_dataset[n].default != of_file[n].default] == []


def test_a_signature_that_lacks_an_option_is_noticed(throw_away):
    def blink(table, k=5, *, quasi, depth=4, na=None, decimal=None, keep_order=False): ...

    assert lacking(blink, throw_away, file=False) == ["depth", "mood"]


@pytest.mark.parametrize("function", [tk.release.mask, tk.release.recode, tk.release.perturb])
def test_docstrings_speak_of_every_option(function):
    text = function.__doc__.split("Returns\n")[0]
    unsaid = [name for name in inspect.signature(function).parameters if name not in text]
    assert unsaid == []


@pytest.mark.parametrize("step", [Microaggregate, Recode])
def test_the_help_of_a_command_has_every_option(capsys, step):
    commands.run([{"microaggregate": "mask"}.get(step.do, step.do), "--help"])
    text = capsys.readouterr().out
    for keyword in wanted(step):
        spelled = {"kinds": "kind", "orders": "ordinal", "trees": "tree"}.get(keyword, keyword)
        assert f"-{spelled.replace('_', '-')} " in text or f"-{spelled.replace('_', '-')}\n" in text


def test_a_command_writes_the_job_that_gives_the_same_release(tmp_path, capsys):
    (tmp_path / "in.csv").write_text("name,age,job\n" + "Ada,30,x\nBo,32,y\nCy,61,x\nDi,67,y\n")
    ask = "--quasi age --identifier name --sensitive job -k 2 --l-diversity 2 --keep-order --quiet"
    line = ["mask", tmp_path / "in.csv", tmp_path / "one.csv", *ask.split()]
    commands.run([*map(str, line), "--save-job", str(tmp_path / "job.toml")])
    one = (tmp_path / "one.csv").read_text()
    (tmp_path / "one.csv").unlink()
    commands.run(["run", str(tmp_path / "job.toml"), "--quiet"])
    assert (tmp_path / "one.csv").read_text() == one
    job = job_files.read(tmp_path / "job.toml", _check.run())
    assert job.privacy == (KAnonymity(2), LDiversity("job", 2))
    assert job.steps == (Microaggregate(),)


@pytest.mark.parametrize("job", [MASKING, PERTURBING], ids=["mask", "perturb"])
def test_what_a_file_holds_is_what_was_written(job, tmp_path):
    for _, other in ((0, job), *(each.values for each in changes() if each.values[0] is job)):
        if not any(word in repr(other.schema) for word in ("trees={'job'",)):
            job_files.write(other, tmp_path / "job.toml")
            again = job_files.read(tmp_path / "job.toml", _check.run())
            assert jobs.requested_of(again)["steps"] == jobs.requested_of(other)["steps"]
            assert again.privacy == other.privacy
            assert again.schema == other.schema


def test_a_release_keeps_diversity_closeness_and_households():
    n = 60
    table = pa.table(
        {
            "age": list(range(n)),
            "house": [row // 2 for row in range(n)],
            "ill": [row * 7 % 5 for row in range(n)],
        }
    )
    roles = {"quasi": ["age"], "household": "house", "sensitive": ["ill"], "k": 4}
    audit = tk.release.mask(
        table, **roles, l_diversity=3, t_closeness=0.3, t_kind="ordered", min_households=3
    ).audit
    assert audit["verdict"] == "released"
    achieved = audit["achieved"]
    assert achieved["l-diversity of ill"] >= 3
    assert achieved["t-closeness of ill"] <= 0.3
    assert achieved["k_households"] >= 3

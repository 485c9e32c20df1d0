"""A command, the job that it saves, and the run of that job: the same, option by option.

Every option of every command is here with a value; a new one that is not fails the first test.
Each alone is compared as a job; all together, in a few lines, as bytes and as audits.
"""

import json
import shlex

import pytest

from tokumei import commands
from tokumei.release import pipeline
from tokumei.release.job import requested_of

COMMANDS = commands.built().commands
# What is no part of a job: how it is run, and what is printed.
OF_THE_RUN = {"source", "target", "threads", "save_job", "dry_run", "as_json", "quiet", "reason"}
OF_THE_RUN |= {
    "consume",
    "cluster",
    "memory_limit",
    "encryption_key",
    "storage_options",
    "staging",
}  # how a data set is gone through
FILES = {
    "jobs.csv": "cook,food,all\nbaker,food,all\nsmith,craft,all\nmason,craft,all\n",
    "ills.csv": "flu,lung,all\ncough,lung,all\ncut,skin,all\n",
    "everybody.csv": "age,job\n" + "20,cook\n" * 9,
}
OF_ROLES = {
    "identifier": "--identifier name",
    "sensitive": "--sensitive ill",
    "other": "--other zone",
    "drop": "--drop zone",
    "weight": "--weight weight",
    "household": "--household home",
    "nominal": "--nominal age",
    "kind": "--kind age=ordinal",
    "ordinal": "--ordinal 'job=cook<baker<smith<mason'",
    "tree": "--tree job=jobs.csv",
}
OF_MODELS = {
    "l_diversity": "--l-diversity 3 --sensitive ill",
    "l_kind": "--l-diversity 2 --l-kind entropy --sensitive ill",
    "l_c": "--l-diversity 2 --l-kind recursive --l-c 2.5 --sensitive ill",
    "t_closeness": "--t-closeness 0.5 --sensitive ill",
    "t_kind": "--t-closeness 0.5 --t-kind ordered --sensitive ill",
    "t_tree": "--t-closeness 0.5 --t-kind hierarchical --t-tree ills.csv --sensitive ill",
    "beta_likeness": "--beta-likeness 3 --sensitive ill",
    "beta_kind": "--beta-likeness 3 --beta-kind enhanced --sensitive ill",
    "min_households": "--min-households 2 --household home",
}
OF_FILES = {
    "na": "--na NA,?",
    "decimal": "--decimal ,",
    "encoding": "--encoding windows-1252",
    "delimiter": "--delimiter ;",
    "header": "--no-header",
    "keep_order": "--keep-order",
    "files": "--files csv",
    "report": "--report page.html",
    "recipient": "--recipient 'an office'",
    "environment": "--environment 'a safe room'",
    "review": "--review 2031-05-01",
}
OF_THE_GATE = {
    "missing_counts_as": "--missing-counts-as wildcard",
    "accept_risk": "--accept-risk inference,linkability --reason why",
    "singling_out": "--singling-out 0.2",
    "linkability": "--linkability 0.2",
    "inference": "--inference 0.2",
    "unmasked": "--unmasked 0.3",
}
EVERYWHERE = OF_ROLES | OF_MODELS | OF_FILES | OF_THE_GATE
OPTIONS = {
    "mask": EVERYWHERE
    | {
        "quasi": "--quasi age,job",
        "k": "-k 3",
        "method": "--method mdav",
        "effort": "--effort fast",
        "cost": "--cost absolute",
        "random_state": "--random-state 7",
        "time_limit": "--time-limit 9.5",
        "gamma": "--method vmdav --gamma 0.5",
        "rest": "--method vmdav --rest mean",
        "c1": "--method flexdice --c1 64",
        "c2": "--method flexdice --c2 3",
        "axes": "--method flexdice --axes 2",
        "blocks_per_axis": "--method grid --blocks-per-axis 4",
        "bits": "--method hilbert --bits 5",
        "by_column": "--method column --by-column 1",
        "strict": "--method mondrian --no-strict",
        "represent": "--represent age=median",
        "attribute_weights": "--attribute-weights age=2.5",
        "strata": "--strata zone",
        "missing": "--missing impute",
        "round": "--round none",
        "resolution": "--resolution age=year",
        "bound": "--bound columns",
    },
    "recode": EVERYWHERE
    | {
        "quasi": "--quasi age,job",
        "k": "-k 3",
        "k_map": "--k-map 3 --population everybody.csv",
        "population": "--k-map 2 --population everybody.csv",
        "presence": "--presence 0.5 --population everybody.csv",
        "presence_least": "--presence 0.5 --presence-least 0.1 --population everybody.csv",
        "share": "--share job=0.3",
        "rule": "--share job=0.3 --rule job=other",
        "level": "--level job=1 --tree job=jobs.csv",
        "top": "--top age=50",
        "bottom": "--bottom age=25",
        "bins": "--bins 'age=0<30<99'",
        "other_label": "--share job=0.3 --rule job=other --other-label rest",
        "least_share": "--least-share 0.2",
        "model_loss": "--model-loss 0.5",
        "pram": "--pram job=0.8",
        "pram_alpha": "--pram job=0.8 --pram-alpha 0.25",
        "pram_least": "--pram job=0.8 --pram-least 0.5",
        "suppress": "--suppress 0.5",
        "importance": "--suppress 0.5 --importance age=3",
    },
    "perturb": OF_FILES
    | {
        "identifier": "--identifier name",
        "drop": "--drop name,ill",
        "k": "-k 4",
        "column": "--column age:0:120:integer",
        "mechanism": "--column age:0:120 --mechanism age=square-wave",
        "share": "--column age:0:120 --share age=2",
        "cells": "--column age:0:120 --mechanism square-wave --cells age=16",
        "max_retention": "--column 'job:cook|baker|smith' --max-retention 0.9",
        "missing": "--column age:0:120 --missing category",
        "missing_share": "--column age:0:120 --missing category --missing-share 0.5",
        "clip": "--clip",
        "bounds": "--bounds data",
    },
}
PLAIN = {}  # the job of each command without more
ALONE = [(name, option) for name, options in OPTIONS.items() for option in options]
NEEDED = {
    "mask": "--quasi age",
    "recode": "--quasi age -k 2 --top age=60",
    "perturb": "--column age:0:99",
}


@pytest.mark.parametrize("name", OPTIONS)
def test_every_option_of_a_command_is_compared(name):
    declared = {each.name for each in COMMANDS[name].params} - OF_THE_RUN
    assert declared == set(OPTIONS[name])


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    return tmp_path


class Stopped(Exception):
    """Where the work would begin."""


def asked_by(arguments, monkeypatch):
    """The job that a command line asks for; nothing is done."""
    jobs = []

    def stop(job):
        jobs.append(job)
        raise Stopped

    monkeypatch.setattr(pipeline, "from_file", stop)
    with pytest.raises(Stopped):
        commands.run(arguments)
    return jobs[0]


@pytest.mark.parametrize(("name", "option"), ALONE, ids=lambda one: one)
def test_a_job_that_is_saved_asks_for_the_same(name, option, folder, monkeypatch):
    words = shlex.split(OPTIONS[name][option])
    needed = shlex.split(NEEDED[name])
    if needed[0] in words:
        needed = needed[2:]
    line = [name, "in.csv", "out.csv", *needed, *words]
    (folder / "jobs").mkdir()
    asked = asked_by([*line, "--save-job", "jobs/job.toml"], monkeypatch)
    if name not in PLAIN:
        PLAIN[name] = asked_by([name, "in.csv", "out.csv", *shlex.split(NEEDED[name])], monkeypatch)
    assert asked.sha256 != PLAIN[name].sha256, "the option says nothing"
    again = asked_by(["run", "jobs/job.toml"], monkeypatch)
    one, other = (seen(job, folder) for job in (asked, again))
    assert one == other


def seen(job, folder):
    """What is asked for, with paths as they lead from here."""
    asked = requested_of(job)
    for section in ("source", "output", "report"):
        if "path" in asked.get(section, {}):
            asked[section]["path"] = str((folder / asked[section]["path"]).resolve())
    for model in asked.get("privacy", ()):
        if "population" in model:
            model["population"] = str((folder / model["population"]).resolve())
    return asked


PEOPLE = ["name,age,job,home,zone,weight,ill"] + [
    f"P{i},{20 + i * 7 % 50},{['cook', 'baker', 'smith', 'mason'][i * 5 % 4]},h{i // 2},"
    f"{'east' if i % 2 else 'west'},{1 + i % 3},{['flu', 'cough', 'cut'][i % 3]}"
    for i in range(24)
]
ROLES = "--identifier name --sensitive ill --quasi age,job --keep-order "
CHECKS = "singling out,linkability,inference,linkage through unmasked columns,too few records"
CHECKS += ",linkage through masked columns,dominance of one weight,masked columns told by others"
LINES = {
    "mask, roles": ROLES + "--drop home,zone,weight -k 3 --l-diversity 2 "
    "--represent age=median --attribute-weights age=2 --report page.html "
    "--recipient office --environment room --review 2031-05-01 --tree job=jobs.csv",
    "mask, search": ROLES + "--drop home,zone,weight -k 2 --method vmdav --gamma 0.3 --strata zone "
    "--t-closeness 0.9 --t-kind hierarchical --t-tree ills.csv --round none --missing impute",
    "recode": ROLES + "--drop home,zone,weight -k 2 --bins 'age=0<40<99' --least-share 0.2 "
    "--suppress 0.9 --importance age=2 --missing-counts-as wildcard --beta-likeness 9",
    "recode, level": ROLES + "--drop home,zone,weight -k 2 --level job=2 --tree job=jobs.csv "
    "--top age=40 --bottom age=39",
}  # fmt: skip
RANDOM = {
    "mask": "--identifier name --sensitive ill --quasi age,job --drop zone,weight -k 2 "
    "--household home --min-households 2 --keep-order",
    "recode": "--quasi age,job --drop home,zone,weight,name,ill --pram job=0.8 --top age=60",
    "perturb": "--column age:0:120:integer --column 'job:cook|baker|smith|mason' --drop "
    "name,home,zone,weight,ill -k 3",
}


def released_twice(folder, name, words):
    (folder / "in.csv").write_text("\n".join(PEOPLE) + "\n")
    line = [name, "in.csv", "out.csv", *shlex.split(words), "--quiet"]
    if "-k" in line and name != "perturb":
        line += ["--accept-risk", CHECKS, "--reason", "invented people"]
    found = []
    for arguments in ([*line, "--save-job", "job.toml"], ["run", "job.toml", "--quiet"]):
        commands.run(arguments)
        audit = json.loads((folder / "out.csv.audit.json").read_text())
        found.append(((folder / "out.csv").read_bytes(), audit))
        for path in folder.glob("out.csv*"):
            path.unlink()
    return found


@pytest.mark.parametrize("line", LINES)
def test_a_saved_job_gives_the_same_bytes_where_nothing_is_random(line, folder):
    (bytes_one, one), (bytes_other, other) = released_twice(folder, line.split(",")[0], LINES[line])
    assert bytes_one == bytes_other
    assert one == other


@pytest.mark.parametrize("name", RANDOM)
def test_a_saved_job_gives_the_same_audit_but_for_hashes_where_something_is(name, folder):
    (bytes_one, one), (bytes_other, other) = released_twice(folder, name, RANDOM[name])
    assert bytes_one != bytes_other
    assert one["output"].pop("sha256") != other["output"].pop("sha256")
    for same in ("job", "achieved", "verdict", "random_numbers"):
        if name == "mask" or same != "achieved":
            assert one[same] == other[same]
    told = [[(c["check"], c["verdict"]) for c in each["checks"]] for each in (one, other)]
    assert told[0] == told[1]

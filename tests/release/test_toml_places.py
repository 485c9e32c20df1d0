"""A message about a job names the line and the column of what is wrong."""

import pytest

import tokumei as tk
from tokumei import _check
from tokumei.release import job_files
from tokumei.release.toml_places import place_of

TEXT = """# a job
[source]
path = "in.csv"

[schema]
quasi = [
  "age",  # not = an option
]
kinds.age = "numeric"

[[steps]]
do = "recode"

[[steps]]
  do = "microaggregate"
  effort = "fast"
"""


@pytest.mark.parametrize(
    ("way", "place"),
    [
        (("source", "path"), (3, 1)),
        (("schema", "quasi"), (6, 1)),
        (("schema", "kinds", "age"), (9, 1)),
        (("steps", 0, "do"), (12, 1)),
        (("steps", 1, "effort"), (16, 3)),
        (("steps", 1, "nothing"), (14, 1)),
        (("gate",), None),
    ],
)
def test_options_are_found_where_they_stand(way, place):
    assert place_of(TEXT, way) == place


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('effort = "fast"', 'efort = "fast"', r"did you mean 'effort'\? \(line 16, column 3\)"),
        ('do = "recode"', 'do = "rekode"', r"steps\[0\] needs do.* \(line 12, column 1\)"),
        ("[source]", "[sources]", r"did you mean 'source'\? \(line 2, column 1\)"),
        ('kinds.age = "numeric"', "kinds = 3", r"schema.*\(line 9, column 1\)"),
    ],
)
def test_a_wrong_option_is_told_with_its_place(tmp_path, old, new, sentence):
    path = tmp_path / "job.toml"
    path.write_text(TEXT.replace(old, new))
    with pytest.raises(tk.release.InputError, match=sentence):
        job_files.read(path, _check.run())

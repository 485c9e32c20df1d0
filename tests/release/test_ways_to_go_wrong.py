"""Ways to go wrong end with a code and a sentence that shows no cell; nothing stays behind."""

import json
import logging
import shlex

import pytest
from builders.commands import is_one_sentence, names, posix
from builders.ways import SECRETS, WAYS

from tokumei import cli

OLDER = b"an older release"


def test_ways_to_go_wrong_are_many():
    assert len(WAYS) >= 40
    assert {way.code for way in WAYS.values()} == {2, 3}


@posix
@pytest.mark.parametrize("name", WAYS)
def test_a_way_to_go_wrong_gets_its_sentence(tmp_path, monkeypatch, capfd, caplog, name):
    way = WAYS[name]
    monkeypatch.chdir(tmp_path)
    (tmp_path / way.source).write_bytes(way.content)
    (tmp_path / "out.csv").write_bytes(OLDER)
    for other, content in way.beside.items():
        (tmp_path / other).mkdir() if content is None else (tmp_path / other).write_bytes(content)
    before = names(tmp_path)
    caplog.set_level(logging.DEBUG)
    places = {"IN": way.source, "OUT": "out.csv"}
    with pytest.raises(SystemExit) as end:
        cli.main([places.get(word, word) for word in shlex.split(way.asks)])
    out, err = capfd.readouterr()
    assert (end.value.code, out) == (way.code, ""), err
    assert is_one_sentence(err)
    assert way.says in err
    refusal = tmp_path / "out.csv.refused.json"
    assert names(tmp_path) == sorted([*before, *([refusal.name] if way.code == 3 else [])])
    assert (tmp_path / "out.csv").read_bytes() == OLDER
    told = err + caplog.text
    if way.code == 3:
        told += refusal.read_text()
        assert json.loads(refusal.read_text())["verdict"] == "refused"
    assert not [secret for secret in SECRETS if secret in told]

"""A colleague who did not make a release finds every change of it and of its audit."""

import json

import numpy as np
import pytest

import tokumei as tk
from tokumei.release import audit as audits


@pytest.fixture(scope="module")
def released(tmp_path_factory):
    folder = tmp_path_factory.mktemp("released")
    (folder / "in.csv").write_text("age,ill\n" + "30,flu\n32,cold\n" * 4)
    tk.release.mask_file(
        folder / "in.csv",
        folder / "out.csv",
        k=2,
        quasi=["age"],
        sensitive=["ill"],
        accept_risk={"too few records": "invented people"},
    )
    return folder / "out.csv"


def test_every_changed_byte_of_an_audit_is_found(released):
    whole = released.with_name("out.csv.audit.json").read_bytes()
    assert audits.unsealed(whole) == tk.release.verify(released)
    for place in range(len(whole)):
        changed = bytearray(whole)
        changed[place] ^= 1 << place % 8
        assert audits.unsealed(bytes(changed)) is None, place


def test_bytes_that_are_gone_or_more_are_found(released):
    whole = released.with_name("out.csv.audit.json").read_bytes()
    for place in range(0, len(whole), 97):
        assert audits.unsealed(whole[:place] + whole[place + 1 :]) is None
        assert audits.unsealed(whole[:place] + b" " + whole[place:]) is None
    assert audits.unsealed(whole[:-1]) is None
    assert audits.unsealed(b"") is None


def test_every_changed_byte_of_a_release_is_found(released):
    whole = released.read_bytes()
    try:
        for place in range(len(whole)):
            released.write_bytes(
                whole[:place] + bytes([whole[place] ^ 1 << place % 8]) + whole[place + 1 :]
            )
            with pytest.raises(tk.release.InputError, match="is not the file that"):
                tk.release.verify(released)
    finally:
        released.write_bytes(whole)
    assert tk.release.verify(released)["verdict"] == "released"


def test_an_audit_that_is_not_there_gets_a_sentence_with_its_cure(released, tmp_path):
    with pytest.raises(tk.release.InputError, match=r"gone\.json.* is not there; say where"):
        tk.release.verify(released, audit=tmp_path / "gone.json")


def test_a_changed_audit_gets_a_sentence_with_its_cure(released, tmp_path):
    other = tmp_path / "audit.json"
    audit = json.loads(released.with_name("out.csv.audit.json").read_text())
    audit["achieved"]["k"] += 1
    other.write_text(json.dumps(audit, indent=2) + "\n")
    with pytest.raises(tk.release.InputError, match="or not as it was written; ask whoever"):
        tk.release.verify(released, audit=other)


def test_figures_of_every_kind_come_out_of_a_seal_as_they_went_in():
    rng = np.random.default_rng(2)
    audit = {"a": rng.normal(size=50).tolist(), "b": [1e-300, 0.1, 1 / 3, -0.0], "é": None}
    assert audits.unsealed(audits.sealed(audit).encode()) == audit

"""What every command says of itself fits a terminal of eighty columns, and says all of it."""

import pytest

from tokumei import commands

COMMANDS = commands.built().commands


@pytest.mark.parametrize("columns", ["80", "200"])
@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_help_fits_eighty_columns_and_has_a_line_for_each_option(
    name, columns, capsys, monkeypatch
):
    monkeypatch.setenv("COLUMNS", columns)
    commands.run([*([name] if name else []), "--help"])
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    for each in COMMANDS[name].params if name else ():
        told = [line for line in lines if line.strip().startswith(each.opts[-1])]
        assert told or each.param_type_name == "argument", each.name
        assert each.param_type_name == "argument" or each.help

"""The command in this process, and files that it reads quickly."""

import pytest

from tokumei import cli


@pytest.fixture
def tokumei_(capsys):
    """Run the command in this process: exit code, stdout, stderr."""

    def run(*arguments):
        with pytest.raises(SystemExit) as end:
            cli.main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return end.value.code, captured.out, captured.err

    return run


@pytest.fixture(scope="package", autouse=True)
def files_are_read_by_quick_children(quick_reading):
    pass

"""Every kind of run of a data set, killed at set steps, goes on to the same release."""

import pytest
from builders.commands import posix
from builders.killed_datasets import STEPS, assert_nothing_is_half, killed
from builders.kinds_of_runs import WORK


@pytest.fixture(scope="module")
def seen(tmp_path_factory):
    return killed(tmp_path_factory.mktemp("killed"), "steps")


@posix
@pytest.mark.parametrize("kind", WORK)
def test_a_run_of_this_kind_that_is_killed_goes_on_to_the_same_release(seen, kind):
    assert_nothing_is_half(seen[kind])
    assert seen[kind]["found"]["absent"] >= len(STEPS) - 1  # it was killed, again and again
    assert seen[kind]["resumed"] >= 2

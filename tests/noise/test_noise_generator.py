"""Secure chance: exactly what the oracle draws, from keys that fail closed."""

import os
import subprocess
import sys
import threading

import numpy as np
import oracle
import pytest

import tokumei as tk
from tokumei._check import Run
from tokumei._kernels import noise as kernel
from tokumei.machine import LEVELS
from tokumei.noise import generator

pytestmark = pytest.mark.filterwarnings("ignore::tokumei.noise.NotPrivateWarning")

KEY = np.frombuffer(bytes(range(32)), dtype="<u4").astype(np.uint32)
RATES = {
    "tiny": 2**33 + 12345,
    "fine lattice": int(2**64 / 1500.3),
    "education": int(2**64 / 2.88716),
    "half": int(2**64 * 0.6),
    "one": 2**64,
    "steep": int(2**64 * 2.75),
}


def words(count, key=KEY, stream=0, counter=0, level=0):
    out = np.empty(count, dtype=np.uint32)
    kernel.chacha(key, stream, counter, out, Run(1, level))
    return out


def geometric(rate, count, key=KEY, threads=1, level=0):
    out = np.empty(count, dtype=np.int64)
    kernel.discrete_laplace(key, rate >> 64, rate % 2**64, out, Run(threads, level))
    return out


# The keystream.


def test_the_keystream_is_that_of_the_standard(instructions):
    # RFC 8439, appendix A.1, test vectors 1 (counter 0), 2 (counter 1) and 3 (last key byte 1).
    level = LEVELS.index(instructions)
    zero, one = np.zeros(8, np.uint32), np.array([0] * 7 + [1 << 24], np.uint32)
    for key, counter, begin in (
        (zero, 0, "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7"),
        (zero, 1, "9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed"),
        (one, 1, "3aeb5224ecf849929b9d828db1ced4dd832025e8018b8160b82284f3c949aa5a"),
    ):
        of_the_first_block = words(256, key, counter=counter, level=level)[::16]
        assert of_the_first_block.astype("<u4").tobytes().hex()[:64] == begin


def test_the_keystream_is_that_of_the_oracle(instructions):
    stream = 2**40 + 7
    ours = np.concatenate(
        [words(256, stream=stream, counter=c, level=LEVELS.index(instructions)) for c in (0, 16)]
    )
    theirs = oracle.keystream(KEY, stream)
    assert ours.tolist() == [next(theirs) for _ in range(512)]


# What is drawn.


@pytest.mark.parametrize("rate", RATES.values(), ids=RATES)
def test_noise_is_what_the_oracle_draws(rate, instructions):
    from fractions import Fraction

    theirs = oracle.keystream(KEY, 0)
    expected = [oracle.discrete_laplace(theirs, Fraction(rate, 2**64)) for _ in range(400)]
    assert geometric(rate, 400, level=LEVELS.index(instructions)).tolist() == expected


def test_codes_are_scattered_as_the_oracle_does(instructions):
    from fractions import Fraction

    codes = np.arange(300) % 9
    near = int(0.7 * 2**64)
    for reach in (0, 3):
        out = np.empty(300, dtype=np.int64)
        kernel.scatter(KEY, 9, reach, near, codes, out, Run(1, LEVELS.index(instructions)))
        theirs = oracle.keystream(KEY, 0)
        expected = [oracle.scattered(theirs, c, 9, reach, Fraction(near, 2**64)) for c in codes]
        assert out.tolist() == expected


def test_rows_are_shuffled_as_the_oracle_does(instructions):
    order = np.empty(200, dtype=np.int64)
    kernel.secure_order(KEY, order, Run(1, LEVELS.index(instructions)))
    assert order.tolist() == oracle.shuffled(oracle.keystream(KEY, 0), 200)


def test_each_order_of_four_rows_is_as_likely_as_any_other():
    counts = {}
    for seed in range(6000):
        order = tuple(generator.order(generator.key(seed), 4, Run(1, 0)).tolist())
        counts[order] = counts.get(order, 0) + 1
    assert len(counts) == 24
    chi = sum((count - 250) ** 2 / 250 for count in counts.values())
    assert chi < 23 + 5 * np.sqrt(46)


def test_no_draw_depends_on_threads():
    rate = RATES["fine lattice"]
    whole = geometric(rate, 50_000)
    codes = np.arange(50_000) % 30
    scattered = [np.empty(50_000, dtype=np.int64) for _ in range(4)]
    for threads, out in zip((1, 2, 3, 8), scattered, strict=True):
        np.testing.assert_array_equal(geometric(rate, 50_000, threads=threads), whole)
        kernel.scatter(KEY, 30, 2, 2**63, codes, out, Run(threads, 0))
        np.testing.assert_array_equal(out, scattered[0])


def test_blocks_of_records_have_streams_of_their_own():
    drawn = geometric(RATES["fine lattice"], 3 * 8192)
    blocks = drawn.reshape(3, 8192)
    assert not (blocks[0] == blocks[1]).all()
    assert np.corrcoef(blocks)[0, 1] < 0.06


@pytest.mark.parametrize("rate", ["fine lattice", "education", "steep"])
def test_the_exact_law_is_met_by_ten_million_draws(rate):
    drawn = np.abs(geometric(RATES[rate], 10_000_000, threads=2))
    exact = np.array(oracle.geometric_chances(RATES[rate] / 2**64, range(20_000)))
    held = len(exact[exact * 1e7 > 20])
    counts = np.bincount(np.minimum(drawn, held), minlength=held + 1)
    expected = 1e7 * np.append(exact[:held], 1 - exact[:held].sum())
    chi = ((counts - expected) ** 2 / expected).sum()
    assert abs(chi - held) < 5 * np.sqrt(2 * held)


def test_signs_are_fair_and_zero_has_none():
    drawn = geometric(RATES["education"], 2_000_000)
    up, down = int((drawn > 0).sum()), int((drawn < 0).sum())
    assert abs(up - down) < 5 * np.sqrt(up + down)


def test_rates_and_codes_out_of_range_are_refused():
    out = np.empty(3, dtype=np.int64)
    for rate in (0, 2**33 - 1, (2**20 + 1) << 64):
        with pytest.raises(ValueError, match="out of range"):
            geometric(rate, 3)
    for codes, values in ((1, [0, 0, 0]), (3, [0, 1, 3]), (3, [-1, 0, 0])):
        with pytest.raises(ValueError, match="out of range"):
            kernel.scatter(KEY, codes, 0, 2**63, np.array(values), out, Run(1, 0))


def test_a_callback_can_end_the_work():
    def stop(share):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tk.noise.laplace(2**30, lower=0, upper=1e12).perturb(np.zeros(8_000_000), callback=stop)


# Keys.


def test_keys_differ_from_call_to_call():
    keys = {generator.key().tobytes() for _ in range(50)}
    assert len(keys) == 50


def _raises(count):
    msg = "no entropy"
    raise OSError(msg)


@pytest.mark.parametrize(
    "source",
    [_raises, lambda count: b"", lambda count: bytes(count), lambda count: b"x" * (count // 2)],
    ids=["raises", "nothing", "stuck", "short"],
)
def test_without_random_bytes_nothing_is_released(source, monkeypatch):
    monkeypatch.setattr(os, "urandom", source)
    channel = tk.noise.laplace(10, lower=0, upper=9)
    with pytest.raises(tk.noise.GeneratorError):
        channel.perturb([1.0, 2.0])
    with pytest.raises(tk.noise.GeneratorError):
        tk.noise.randomized_response(1, lower=0, upper=9, integer=True).perturb([1, 2])
    with pytest.raises(tk.noise.GeneratorError):
        tk.noise.perturb([[1, 2, 3]], [tk.noise.Attribute(0, 9)], k=2)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_process_draws_other_noise():
    code = (
        "import os, numpy as np, tokumei as tk\n"
        "channel = tk.noise.laplace(1000, lower=0, upper=9)\n"
        "x = np.zeros(64)\n"
        "channel.perturb(x)\n"
        "here, there = os.pipe()\n"
        "if os.fork() == 0:\n"
        "    os.write(there, channel.perturb(x).tobytes())\n"
        "    os._exit(0)\n"
        "theirs = os.read(here, 4096)\n"
        "os.wait()\n"
        "print(len(theirs), theirs == channel.perturb(x).tobytes())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["512", "False"]


def test_threads_draw_different_noise():
    channel = tk.noise.laplace(1000, lower=0, upper=9)
    drawn = []
    threads = [
        threading.Thread(target=lambda: drawn.append(channel.perturb(np.zeros(64)).tobytes()))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(drawn)) == 8


@pytest.mark.filterwarnings("default")
def test_a_seed_is_repeatable_and_warned_of():
    channel = tk.noise.laplace(1000, lower=0, upper=9)
    with pytest.warns(tk.noise.NotPrivateWarning, match="not private") as warned:
        first = channel.perturb(np.zeros(64), insecure_seed_for_tests=5)
    assert warned[0].filename == __file__
    with pytest.warns(tk.noise.NotPrivateWarning):
        again = channel.perturb(np.zeros(64), insecure_seed_for_tests=5)
    np.testing.assert_array_equal(first, again)
    for seed, error in ((-1, ValueError), (2**64, ValueError), (1.5, TypeError)):
        with pytest.raises(error, match="insecure_seed_for_tests must be"):
            channel.perturb(np.zeros(4), insecure_seed_for_tests=seed)

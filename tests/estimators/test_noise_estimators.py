"""The estimators of noise are its functions in another shape."""

import numpy as np
import pytest

import tokumei as tk

pytestmark = pytest.mark.filterwarnings("ignore::tokumei.noise.NotPrivateWarning")
ESTIMATORS = [
    tk.LaplaceNoise(k=3, lower=[0, 0], upper=[100, 10]),
    tk.RandomizedResponseNoise(k=3, lower=0, upper=100, cells=8, max_retention=0.6),
    tk.SquareWaveNoise(k=3, lower=0, upper=100, cells=20, weights=[2, 1]),
]
X = np.random.default_rng(5).uniform(0, 10, size=(60, 2))


@pytest.mark.parametrize("noise", ESTIMATORS, ids=lambda noise: type(noise).__name__)
def test_estimators_are_the_functions_in_another_shape(noise):
    base = pytest.importorskip("sklearn.base")
    noise = base.clone(noise).set_params(insecure_seed_for_tests=4)
    released = noise.fit_transform(X)
    assert released.shape == X.shape
    assert 3 <= noise.report_["k"] < 3.3
    assert noise.report_["status"] == "not private"
    assert [channel.mechanism for channel in noise.channels_] == [noise._mechanism] * 2
    planned = tk.noise.plan(noise._attributes, 60, 3)
    assert [c.exact_epsilon for c in noise.channels_] == [c.exact_epsilon for (c,) in planned]
    np.testing.assert_array_equal(noise.transform(X), released)
    assert "k=3" in repr(noise)
    with pytest.raises(ValueError, match="59 records need more noise than the 60"):
        noise.transform(X[:59])
    with pytest.raises(ValueError, match="is expecting 2 features as input"):
        noise.transform(X[:, :1])


def test_estimators_need_public_bounds_and_a_fit():
    with pytest.raises(ValueError, match="must be public bounds"):
        tk.LaplaceNoise(k=3).fit(X)
    with pytest.raises(ValueError, match="lower must be one number, or one for each of the 2"):
        tk.LaplaceNoise(k=3, lower=[1, 2, 3], upper=4).fit(X)
    with pytest.raises(ValueError, match="this LaplaceNoise is not fitted yet"):
        tk.LaplaceNoise(k=3, lower=0, upper=9).transform(X)

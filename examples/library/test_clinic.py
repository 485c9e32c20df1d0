"""The example package, built against the installed tokumei, does what tokumei does."""

import clinic
import numpy as np
import pytest

import tokumei as tk


def test_bands_are_merged_and_visits_masked():
    visits = np.array([[1.0, 2.0], [1.5, 2.5], [9.0, 8.0], [9.5, 8.5]])
    bands, masked = clinic.published(visits, np.array([5, 1, 1, 9]), k=2)
    assert bands.tolist() == [0, 1, 1, 2]
    np.testing.assert_array_equal(masked, tk.microaggregate(visits, 2))


def test_its_users_get_the_errors_of_tokumei():
    with pytest.raises(ValueError, match="column 0 has 1 missing values"):
        clinic.published(np.array([[np.nan], [1.0]]), np.array([3]), k=2)

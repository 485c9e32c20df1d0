"""A table of ages, incomes and sexes, and the attributes that say how each is blurred."""

import numpy as np

import tokumei as tk

Attribute = tk.noise.Attribute
RNG = np.random.default_rng(5)
ROWS = 400
AGES = RNG.integers(17, 91, size=ROWS)
INCOMES = np.round(RNG.gamma(3, 9000, size=ROWS), 2)
SEXES = RNG.choice(["f", "m"], size=ROWS)
AGE = Attribute(17, 90, integer=True)
INCOME = Attribute(0, 200_000, mechanism="square-wave", cells=40)
SEX = Attribute(categories=["f", "m"])
TABLE = [AGES, INCOMES, SEXES]
ATTRIBUTES = [AGE, INCOME, SEX]
FRAME = {"name": [f"n{i}" for i in range(ROWS)], "age": AGES, "income": INCOMES, "sex": SEXES}

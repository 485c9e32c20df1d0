"""Every option that can be asked of a release, with another value than its default."""

from tokumei.noise import Attribute

# A value other than the default for every option, by its keyword.
OTHERS = {
    "path": "elsewhere.csv", "delimiter": ";", "keep_order": True, "files": "csv", "quasi": ["age"],
    "identifier": ["name"], "sensitive": ["job"], "other": "*", "drop": ["x"], "weight": "w",
    "household": "h", "kinds": {"age": "nominal"}, "orders": {"size": ["s", "l"]},
    "trees": {"job": {"nurse": "care", "care": "all"}}, "method": "mdav", "effort": "fast",
    "cost": "absolute", "random_state": 7, "time_limit": 3.5, "represent": {"age": "median"},
    "attribute_weights": {"age": 2.0}, "strata": ["region"], "missing": "impute", "k": 7,
    "column": "job", "header": True, "l_diversity": 4, "l_kind": "entropy", "l_c": 2.0,
    "t_closeness": 0.25, "t_kind": "ordered", "t_tree": {"flu": "lung", "lung": "ill"},
    "beta_likeness": 0.5, "beta_kind": "enhanced", "k_map": 7, "inference": 0.4, "unmasked": 0.5,
    "presence": 0.4, "presence_least": 0.1, "population": "/data/others.csv", "linkability": 0.3,
    "min_households": 3, "clip": True, "bounds": "data", "insecure_seed_for_tests": 1,
    "attributes": {"age": Attribute(0, 120, integer=True)}, "missing_counts_as": "wildcard",
    "share": {"job": 0.1}, "rule": {"job": "other"}, "level": {"job": 1}, "top": {"age": 90},
    "gamma": 0.5, "rest": "mean", "c1": 64, "c2": 3, "axes": 2, "blocks_per_axis": 4, "bits": 5,
    "by_column": 1, "strict": False, "bottom": {"age": 18}, "bins": {"age": [0, 50, 100]},
    "other_label": "rest", "round": "none", "resolution": {"age": "year"}, "na": ["?"],
    "decimal": ",", "encoding": "utf-16", "accept_risk": {"inference": "why"}, "singling_out": 0.2,
    "report": "report.html", "recipient": "an office", "environment": "a safe room",
    "review": "2031-05-01", "least_share": 0.05, "model_loss": 0.1, "pram": {"job": 0.8},
    "pram_alpha": 1.0, "pram_least": 0.25, "suppress": 0.5, "importance": {"age": 3.0},
    "bound": "rows",
}  # fmt: skip

"""The numbers printed in the recoding paper, of its census data, as printed."""

from __future__ import annotations

SHARES = (0.01, 0.03, 0.05)
# Table 4: categories of industry, occupation, family type, nationality, children; original and
# recoded by each share.
CATEGORIES = {
    "industry": "22 17 10 7",
    "occupation": "13 12 9 8",
    "family type": "27 16 10 7",
    "nationality": "52 2 1 1",
    "children": "97 29 12 8",
}
# Table 5, the upper triangle: Cramer's V of the same five.
ASSOCIATION = ("0.663 0.050 0.024 0.055", "0.065 0.027 0.072", "0.023 0.271", "0.020")
# Table 6: mean losses by number of inputs (down) and share (across).
MEANS = {
    "precision": """
        -0.003 0.010 0.014
        -0.080 -0.102 -0.071
        -0.105 -0.087 -0.121
        -0.085 -0.040 -0.052""",
    "recall": """
        0.001 0.004 0.019
        0.002 0.012 0.035
        0.003 0.021 0.047
        0.005 0.033 0.060""",
    "f": """
        -0.108 -0.137 -0.134
        -0.133 -0.212 -0.203
        -0.124 -0.176 -0.210
        -0.133 -0.225 -0.211""",
    "accuracy": """
        0.000 0.007 0.010
        0.001 0.012 0.019
        0.001 0.018 0.029
        0.000 0.024 0.041""",
}
# Which measures the paper finds positive, growing with the share, and with the number of inputs.
DEMANDS = {
    "precision": "no no no",
    "recall": "yes yes yes",
    "f": "no no no",
    "accuracy": "yes yes no",
}
# Table 7: correlations of original score and loss at p = 0.05 by measure (across); for each number
# of inputs all models, then those without nationality as the target.
CORRELATIONS = """
    0.277 0.985 0.850 0.209
    0.774 0.987 0.954 0.757
    0.637 0.980 0.776 0.191
    0.860 0.979 0.897 0.780
    0.820 0.983 0.616 0.017
    0.931 0.981 0.896 0.726
    0.990 0.991 0.786 -0.402
    0.992 0.991 0.992 0.679"""
# Table 8: the five largest losses at p = 0.05, by number of inputs and measure.
LARGEST = """
    O~I 0.176 O~I 0.237 O~I 0.158 O~I 0.085
    I~O 0.159 I~O 0.103 I~O 0.056 C~F 0.059
    I~N 0.148 F~C 0.038 I~F 0.000 I~O 0.046
    C~N 0.049 C~F 0.004 I~C 0.000 F~C 0.017
    C~F 0.047 F~I 0.002 O~F 0.000 F~N 0.001
    N~IC 0.494 O~IN 0.238 N~OC 0.495 O~IN 0.085
    O~IF 0.174 O~IF 0.196 O~IC 0.112 O~IC 0.078
    I~ON 0.148 O~IC 0.182 O~IF 0.085 O~IF 0.076
    O~IC 0.132 I~OC 0.133 O~IN 0.04 C~FN 0.058
    O~IN 0.132 I~ON 0.111 I~OF 0.023 C~IF 0.050
    C~ION 0.244 O~IFN 0.197 O~IFC 0.214 O~INC 0.079
    O~IFN 0.198 O~INC 0.179 O~INC 0.064 O~IFC 0.078
    O~INC 0.162 O~IFC 0.179 O~IFN 0.04 O~IFN 0.076
    O~IFC 0.144 I~ONC 0.131 N~IOF 0.001 C~IOF 0.055
    I~OFN 0.127 I~OFC 0.098 N~IOC 0.000 C~OFN 0.051
    O~IFNC 0.141 O~IFNC 0.190 O~IFNC 0.217 O~IFNC 0.078
    F~IONC 0.126 I~OFNC 0.102 I~OFNC 0.020 I~OFNC 0.051
    I~OFNC 0.048 F~IONC 0.004 F~IONC -0.241 C~IOFN 0.050
    C~IOFN -0.212 C~IOFN 0.004 C~IOFN -0.315 F~IONC 0.031
    N~IOFC -0.366 N~IOFC 0.001 N~IOFC -0.733 N~IOFC -0.004"""


def grid(text: str) -> list[list[str]]:
    """The cells of a printed table."""
    return [line.split() for line in text.split("\n") if line.strip()]

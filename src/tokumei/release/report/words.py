"""What the report says in words: risks, methods with their papers, and the glossary."""

from __future__ import annotations

RISKS = {
    "singling out": "Can one person's record be isolated by what others may know?",
    "linkability": "Can two records, or two tables, be told to be of the same person?",
    "inference": "Can a sensitive value be guessed better of people in the table than of others?",
    "linkage through unmasked columns": "Do columns that were released as they are lead back to "
    "a record?",
}

STEPS = {
    "microaggregate": "Records that are alike were put in groups of k or more, and each value that "
    "others may know became that of its group: the mean of numbers, the middle of ordered "
    "categories, the most frequent of others (Domingo-Ferrer and Mateo-Sanz 2002; for categories "
    "Domingo-Ferrer and Torra 2005).",
    "recode": "Categories that few records have were merged with others, for the whole column at "
    "once (global recoding; Hundepool et al. 2012).",
    "perturb": "Each value was blurred with noise, drawn from the operating system, whose size "
    "follows from public bounds alone; rows were scattered (Pk-anonymity; Ikarashi et al. 2015).",
}

METHODS = {
    "mdav": "MDAV: groups around the records farthest from the mean (Domingo-Ferrer and Torra "
    "2005).",
    "vmdav": "V-MDAV: MDAV with groups of varying size (Solanas and Martínez-Ballesté 2006).",
    "block_mdav": "MDAV within blocks of neighbouring records.",
    "mondrian": "Mondrian: the table is cut at medians (LeFevre, DeWitt and Ramakrishnan 2006).",
    "kmember": "k-member clustering (Byun et al. 2007).",
    "npn": "An order by nearest points, cut at its optimum (Domingo-Ferrer et al. 2006; "
    "Hansen and Mukherjee 2003).",
    "grid": "An order through the blocks of a grid, cut at its optimum.",
    "flexdice": "An order through FlexDice's blocks, cut at its optimum.",
    "hilbert": "An order along Hilbert's curve, cut at its optimum.",
    "principal": "An order along the first principal component, cut at its optimum "
    "(Hansen and Mukherjee 2003).",
    "column": "An order by one column, cut at its optimum (Hansen and Mukherjee 2003).",
    "univariate": "The optimal partition of one column (Hansen and Mukherjee 2003).",
    "refined": "Records were then moved and exchanged between groups as long as less was lost.",
}

# What recoding may have done besides, by its place in the audit.
RECODED = {
    "model_loss": "Rare categories were merged up to the largest share by which models that are "
    "learned from the table lose no more of recall than was asked for",
    "exchanged": "Categories were exchanged by chance, so that no single cell is certain and "
    "shares stay as they were on average (PRAM; Gouweleeuw et al. 1998)",
    "suppressed": "Single cells were emptied, as few as were found to do, until every class holds "
    "what was asked for (local suppression; Hundepool et al. 2012)",
}

MODELS = {
    "k-anonymity": "Each record shares what others may know with k - 1 others or more "
    "(Sweeney 2002).",
    "l-diversity": "Each class holds l well-represented sensitive values (Machanavajjhala et "
    "al. 2007).",
    "t-closeness": "Sensitive values are spread in each class as in the table, up to t (Li, Li and "
    "Venkatasubramanian 2007).",
    "beta-likeness": "No sensitive value gains more than beta of its share in a class (Cao and "
    "Karras 2012).",
    "k-map": "Each class is of k people of the population or more (Sweeney 2002).",
    "delta-presence": "Nobody can tell with more than this chance that a person is in the table "
    "(Nergiz, Atzori and Clifton 2007).",
    "Pk-anonymity": "A released row belongs to a given record with probability 1/k at most "
    "(Ikarashi et al. 2015).",
    "min-households": "Each class holds records of several households.",
}

GLOSSARY = {
    "attack rate": "How often the adversary was right about people in the table.",
    "control rate": "How often the same adversary was right about people who were not in it: what "
    "can be known without the release.",
    "risk": "What the release adds: (attack - control) / (1 - control), with an interval of 95 %.",
    "class": "Records that are the same in all that others may know.",
    "quasi-identifier": "What others may know of a person, and find them by.",
    "sensitive": "What others do not know and are not to learn.",
    "correlation": "Of the released numbers with the original ones: 1 is unchanged.",
    "ILD": "The share of the information in a column, the distances of all pairs of its values, "
    "that is gone.",
    "SSE/SST": "Squared changes over the variance, of all quasi-identifiers together.",
    "l": "The least number of different sensitive values in a class.",
    "t": "The largest distance between the sensitive values of a class and those of the table.",
    "SHA-256": "A fingerprint of the released file: tokumei verify compares it.",
}

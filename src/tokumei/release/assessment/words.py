"""What names of columns say of them, in English, German, French and Spanish.

A name is cut into words at signs, at digits and where capitals begin; a stem is found at the
beginning of a word, a word only whole.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Hint:
    """What a word in a name points to: a role, what it is called, and whether numbers are codes."""

    role: str
    what: str
    stems: tuple[str, ...]
    words: tuple[str, ...] = ()
    codes: bool = False


# The first that matches is taken: what names a person comes before what many share.
HINTS = (
    Hint(
        "identifier",
        "names a person",
        ("surname", "firstname", "lastname", "fullname", "vorname", "nachname", "prenom",
         "apellido",
         "nombre", "passport", "reisepass", "identifier", "patient", "customer", "kunde",
         "username",
         "personnummer", "sozialversicherung", "steuer"),
        ("name", "nom", "ssn", "id", "uid", "uuid", "pid", "nin", "mrn", "sin", "dni", "nif",
         "nir"),
    ),
    Hint(
        "identifier",
        "reaches a person",
        ("email", "phone", "telefon", "telephone", "mobile", "handy", "iban", "street", "strasse",
         "address", "adresse", "direccion", "url", "twitter", "license", "kennzeichen"),
        ("mail", "tel", "fax", "ip", "mac", "account", "konto", "imei"),
    ),
    Hint("household", "who lives together", ("household", "haushalt", "hogar", "menage", "family"),
         ("hh", "hhid", "hid", "famid")),
    Hint("weight", "a survey weight", ("weight", "gewicht", "fnlwgt", "pweight", "ponderation"),
         ("wgt", "wt", "pw")),
    Hint(
        "sensitive",
        "a matter of its own",
        ("diagnos", "disease", "illness", "krank", "icd", "disab", "behinder", "health", "gesund",
         "drug", "medic", "religi", "party", "partei", "union", "gewerkschaft", "sexual",
         "orientation",
         "crime", "convict", "debt", "schuld", "hiv", "salary", "gehalt", "wage", "lohn", "income",
         "einkommen", "earning", "revenu", "ingreso", "sueldo", "asset", "vermoegen", "saving",
         "score"),
        ("tax", "pay"),
    ),
    Hint(
        "quasi",
        "others know it",
        ("birth", "gebur", "naissance", "nacimiento", "alter", "edad"),
        ("age", "dob", "born", "geb", "yob", "jahrgang"),
    ),
    Hint(
        "quasi",
        "others know it",
        ("sex", "gender", "geschlecht", "genre", "sexo", "race", "ethni", "nation", "citizen",
         "country",
         "land", "pays", "pais", "zip", "postal", "postcode", "postleit", "plz", "city", "stadt",
         "ville",
         "ciudad", "town", "village", "municip", "gemeinde", "kreis", "county", "district",
         "bezirk",
         "region", "provinc", "state", "place", "marital", "married", "marst", "etni", "civil",
         "familienstand",
         "relat",
         "education", "bildung", "degree", "school", "schule", "occupation", "beruf", "profession",
         "employ", "workclass", "industry", "branche", "sector", "language", "sprache", "urban",
         "urbrur"),
        ("job", "ort", "mar", "lang", "area"),
        codes=True,
    ),
    Hint(
        "quasi",
        "other files have it",
        ("admission", "aufnahme", "discharge", "entlass", "death", "tod", "hired", "children",
         "kinder",
         "height", "groesse", "enfants", "hijos", "latitude", "longitude", "dwelling", "rooms"),
        ("lat", "lon", "size", "kids"),
    ),
    Hint("amount", "an amount",
         ("expend", "amount", "spending", "price", "revenue", "sales", "turnover", "profit",
          "betrag", "ausgabe", "preis", "umsatz", "gewinn", "kosten", "montant", "depense", "gasto",
          "importe"),
         ("cost", "costs")),
)  # fmt: skip
CUT = re.compile(r"[A-Z]?[a-z\u00df-\u00ff]+|[A-Z]+(?![a-z])")
PLAIN = str.maketrans(
    {"\u00e4": "ae", "\u00f6": "oe", "\u00fc": "ue", "\u00df": "ss", "\u00e9": "e", "\u00e8": "e"}
)


def hint_of(name: str) -> Hint | None:
    """What the name of a column points to, or None."""
    words = [word.lower().translate(PLAIN) for word in CUT.findall(name)]
    for hint in HINTS:
        for word in (*words, "".join(words)):
            if word in hint.words or word.startswith(hint.stems):
                return hint
    return None

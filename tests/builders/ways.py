"""Ways to go wrong: what stands in the folder, what is asked of the command, how it ends.

The texts and the numbers of `SECRETS` stand in the cells of every file; no word may show one.
"""

import itertools
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

CANARY = "7f3canary"
NUMBER = 7377373
SECRETS = (CANARY, str(NUMBER), f"{NUMBER:,}")
NAMES = [f"{CANARY}-{i}" for i in range(6)]
PEOPLE = {
    "name": NAMES,
    "age": [31, 32, 33, 44, 45, NUMBER],
    "town": ["a", "a", "b", "b", "c", "c"],
}
ROLES = "--identifier name --quasi age --other town"
MASK = f"mask IN OUT -k 2 {ROLES}"
TOWN = "mask IN OUT -k 2 --identifier name --drop age --quasi town"
SECRET = "mask IN OUT -k 2 --identifier name --quasi age --sensitive town"


def lines(*rows):
    return ("\n".join(rows) + "\n").encode()


def csv_of(columns):
    return lines(
        ",".join(columns), *(",".join(map(str, row)) for row in zip(*columns.values(), strict=True))
    )


def arrow_of(table):
    sink = pa.BufferOutputStream()
    with pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
    return sink.getvalue().to_pybytes()


def parquet_of(table):
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink)
    return sink.getvalue().to_pybytes()


def bad_offsets():
    offsets = pa.py_buffer(np.array([0, 4, 1 << 30, 12], np.int32))
    return pa.Array.from_buffers(pa.string(), 3, [None, offsets, pa.py_buffer(b"x" * 12)])


def many(rows=600, seed=0, **more):
    """People enough for adversaries, with an income that nobody shares."""
    rng = np.random.default_rng(seed)
    columns = {
        "name": [f"{CANARY}{i:03}" for i in range(rows)],
        "age": rng.integers(18, 90, rows).tolist(),
        "town": rng.choice(list("abcd"), rows).tolist(),
        "pay": (NUMBER + rng.permutation(rows)).tolist(),
    }
    return columns | {name: make(columns, rng) for name, make in more.items()}


@dataclass(frozen=True)
class Way:
    """A way to go wrong: the sentence it gets, and the code it ends with: 2 unusable, 3 refused."""

    says: str
    content: bytes = field(default_factory=lambda: csv_of(PEOPLE))
    asks: str = MASK
    code: int = 2
    source: str = "in.csv"
    beside: dict = field(default_factory=dict)


SOUND = pa.table(PEOPLE)
JOB = """[source]
path = "in.csv"
[schema]
quasi = ["age"]
identifier = ["name"]
other = ["town"]
[[steps]]
do = "microaggregate"
[[privacy]]
model = "k-anonymity"
k = 2
[output]
path = "out.csv"
"""


def a_file(says, content, source="in.csv", more=""):
    return Way(says, content, f"{MASK} {more}", source=source)


def asked(says, more, code=2, **rest):
    return Way(says, asks=f"{MASK} {more}", code=code, **rest)


def a_job(says, text):
    return Way(says, asks="run job.toml", beside={"job.toml": text.encode()})


FILES = {
    "no bytes": a_file("empty", b""),
    "blank lines": a_file("empty", b"\n\n\n"),
    "a header only": a_file("no rows", b"name,age,town\n"),
    "ragged rows": a_file("1 row ", lines("name,age,town", f"{CANARY},1", f"{CANARY},2,a")),
    "no UTF-8 in a cell": a_file("line 3 is not UTF", b"name,age,town\na,1,b\na,2,\xe4\n"),
    "no UTF-8 in the header": a_file("line 1 is not UTF-8", b"name,age,t\xe4\na,1,b\n"),
    "UTF-16 cut off": a_file("UTF-16", "name,age\n".encode("utf-16")[:-1]),
    "an open quote": a_file("quote", lines("name,age,town", f'a,1,"{CANARY}', "b,2,c")),
    "a header of numbers": a_file("first line looks like", lines(f"{CANARY},7,x", "a,1,b")),
    "a header of dates": a_file("first line", lines("a,2020-01-31,b", "c,2020-02-01,d")),
    "a header of values": a_file("first line looks like data", lines(f"{CANARY},b", "x,b")),
    "a header again": a_file("first line looks like", lines("name,age", "a,1", "name,age")),
    "names twice": a_file("more than once", lines("age,age", "1,2")),
    "no name": a_file("has no name", lines("age,", "1,a", "2,b")),
    "NUL bytes": a_file("not num", b"name,age,town\n\0,x\0,c\n\0,\0,c\n",
        more="--kind age=numeric"),
    "a text as a number": a_file("1 cell", lines("name,age,town", f"a,{CANARY},b", "c,2,d")),
    "missing numbers": a_file("1 missing", lines("name,age,town", "a,,b", f"c,{NUMBER},d",
        "e,3,f")),
    "missing categories": Way(
        "'town' has 1 missing", lines("name,town", f"{CANARY},", "a,b", "b,b"),
        "mask IN OUT -k 2 --quasi town --identifier name",
    ),
    "infinite numbers": a_file("1 infinite", lines("name,age,town", "a,inf,b", "c,2,d")),
    "too large to be squared": a_file("beyond", lines("name,age,town", "a,1e200,b", "c,2,d")),
    "a decimal comma here and there": a_file("not a number", lines("name;age;town", "a;1,5;b",
        "c;2.5;d")),
    "free text": Way(
        "different texts in 600 rows", csv_of(many()), "mask IN OUT -k 2 --quasi name --drop *",
    ),
    "an unknown ending": a_file("must end in", b"PK", "in.xlsx"),
    "Parquet that is text": a_file("damaged", b"age\n1\n", "in.parquet"),
    "Parquet cut off": a_file("damaged", parquet_of(SOUND)[:-9], "in.parquet"),
    "Parquet with a changed page": a_file(
        "damaged", parquet_of(SOUND).replace(CANARY.encode(), b"\xff" * len(CANARY)), "in.parquet"
    ),
    "Arrow that is text": a_file("damaged", b"age\n1\n", "in.arrow"),
    "Arrow cut off": a_file("damaged", arrow_of(SOUND)[:-300], "in.arrow"),
    "Arrow with wild offsets": a_file(
        "damaged",
        arrow_of(pa.table({"name": bad_offsets(), "age": [1, 2, 3], "town": list("abc")})),
        "in.arrow",
    ),
    "Arrow with texts that are no UTF-8": a_file(
        "damaged",
        arrow_of(SOUND).replace(CANARY.encode(), b"\xff\xfe" * (len(CANARY) // 2) + b"\xff"),
        "in.arrow",
    ),
    "a list as quasi-identifier": a_file(
        "age", arrow_of(pa.table(PEOPLE | {"age": [[NUMBER]] * 6})), "in.arrow"
    ),
    "a delimiter for Parquet": a_file("delimiter", parquet_of(SOUND), "in.parquet",
        "--delimiter ;"),
    "a header for Parquet": a_file("header", parquet_of(SOUND), "in.parquet", "--no-header"),
    "a long delimiter": a_file("one character", b"a\n1\n", more="--delimiter ;;"),
}  # fmt: skip
ASKED = {
    "no such file": Way("cannot read no.csv", asks=f"mask no.csv OUT {ROLES}"),
    "a folder": Way("no folder has this name", asks=f"mask sub.csv OUT {ROLES}",
        beside={"sub.csv": None}),
    "the source as target": Way("same file", asks=f"mask IN IN {ROLES}"),
    "no folder to write to": Way("cannot write", asks=f"mask IN no/out.csv {ROLES}"),
    "a target of an unknown kind": Way("must end in", asks=f"mask IN out.xlsx {ROLES}"),
    "an unknown column": asked("no column 'place'", "--sensitive place"),
    "a column in two roles": asked("named twice", "--sensitive town"),
    "no quasi-identifier": Way("quasi-identifier", asks="mask IN OUT --other *"),
    "k of one": asked("at least 2", "-k 1"),
    "k of nothing": asked("at least 2", "-k 0"),
    "k of half a record": asked("-k", "-k 2.5"),
    "k beyond the rows": asked("number of rows (6), got 7", "-k 7"),
    "an unknown method": asked("method must be", f"--method {CANARY[:3]}"),
    "no time": asked("time_limit", "--time-limit -1"),
    "no threads": asked("n_threads", "--threads 0"),
    "a kind that is none": asked("kind", "--kind age=text"),
    "a tree without a category": Way(
        "2 values that the hierarchy", asks=f"{TOWN} --tree town=t.csv",
        beside={"t.csv": b"a,z\nb,z\n"},
    ),
    "a tree that goes in a circle": Way(
        "it is no tree", asks=f"{TOWN} --tree town=t.csv",
        beside={"t.csv": b"a,b\nb,a\n"},
    ),
    "a tree that is not there": Way(
        "cannot read t.csv", asks=f"{TOWN} --tree town=t.csv"
    ),
    "an order without a category": Way(
        "2 values", asks=f"{TOWN} --ordinal town=a<b"
    ),
    "l beyond the values": Way(
        "the table has 3", asks=f"{SECRET} --l-diversity 4"
    ),
    "l of no sensitive column": asked("sensitive", "--l-diversity 2"),
    "t beyond one": Way(
        "t_closeness", asks=f"{SECRET} --t-closeness 1.5"
    ),
    "a weight that is negative": Way(
        "6 nega", csv_of(PEOPLE | {"w": [-NUMBER] * 6}), f"{MASK} --weight w"
    ),
    "fewer households than k": Way(
        "households", csv_of(PEOPLE | {"home": [NUMBER] * 6}), f"{MASK} --household home"
    ),
    "strata smaller than k": asked("strata", "-k 3 --strata town"),
    "a risk without a reason": asked("reason", "--accept-risk inference"),
    "a risk that is none": asked("accept_risk", "--accept-risk luck --reason none"),
    "an unknown share": Way("share", asks="recode IN OUT --quasi town --drop * --share town=2"),
    "numbers that have no level": Way("level",
        asks="recode IN OUT --quasi age --drop * --level age=1"),
    "noise without bounds": Way("column", asks="perturb IN OUT --column age --drop *"),
    "cells beyond the bounds": Way("1 of 6 values outside",
        asks="perturb IN OUT -k 2 --column age:0:99 --drop *"),
    "categories beyond the list": Way("town",
        asks="perturb IN OUT -k 2 --column town:a|b --drop *"),
    "a release without an audit": Way("the audit of in.csv", asks="verify IN"),
    "noise without an audit": Way("the audit of in.csv", asks="reconstruct IN cells.csv"),
    "a job that is no TOML": a_job("job.toml", JOB + f'"{CANARY}'),
    "a job with a word too many": a_job("job.toml", JOB + "colour = 1\n"),
    "a job without steps": a_job("one step", JOB.replace('[[steps]]\ndo = "microaggregate"\n', "")),
}  # fmt: skip
PAY = "mask IN OUT --identifier name --quasi age,town --effort fast"
REFUSED = {
    "a column without a role": Way(
        "column 'town' has none", asks="mask IN OUT --identifier name --quasi age", code=3
    ),
    "the row labels of pandas": Way(
        "column 'town' has none",
        parquet_of(pa.Table.from_pandas(SOUND.to_pandas().set_index("town"))),
        "mask IN OUT -k 2 --identifier name --quasi age", 3, "in.parquet",
    ),
    "a column that nobody shares": Way(
        "linkage through unmasked columns", csv_of(many()), f"{PAY} --other pay", 3
    ),
    "an identifier in a text": Way(
        "'mail'", csv_of(many(mail=lambda c, _: [f"{n}@home" for n in c["name"]])),
        f"{PAY} --other mail --drop pay", 3,
    ),
    "a number for each identifier": Way(
        "'id'", csv_of(many(id=lambda c, _: [str(hash(n) % 10**9) for n in c["name"]])),
        f"{PAY} --other id --drop pay", 3,
    ),
    "a secret that an unmasked column tells": Way(
        "refused", csv_of(many(ill=lambda c, r: (np.array(c["pay"]) // 30).tolist())),
        f"{PAY} --other pay --sensitive ill", 3,
    ),
    "too few records to decide": Way(
        "too few records", csv_of(many(30)), f"{PAY} -k 2 --sensitive pay", 3
    ),
    "entropy that is not reached": Way(
        "not kept", csv_of(many(ill=lambda c, r: (["x"] * 9 + ["y"]) * 60)),
        f"{PAY} --drop pay --sensitive ill --l-diversity 2 --l-kind entropy", 3,
    ),
    "a gain that is too large": Way(
        "beta-likeness of column 'ill' is not kept", csv_of(many(ill=lambda c,
        r: list("xyz") * 200)),
        f"{PAY} --drop pay --sensitive ill --beta-likeness 0.01", 3,
    ),
    "recoding that leaves k unreached": Way(
        "joint k", csv_of(many()),
        "recode IN OUT -k 5 --identifier name --quasi pay --drop * --top pay=7377400", 3
    ),
    "people who are not of the population": Way(
        "not in the population", csv_of(many()),
        "recode IN OUT --quasi town --drop * --share town=0.01 --k-map 2 --population p.csv",
        3, beside={"p.csv": b"town\nelsewhere\nelsewhere\n"},
    ),
}  # fmt: skip
WAYS = dict(itertools.chain(FILES.items(), ASKED.items(), REFUSED.items()))

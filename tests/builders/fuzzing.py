"""Masks damaged files of one format and counts how it ends: FORMAT COUNT SEED FOLDER."""

import collections
import json
import random
import sys
from pathlib import Path

from zygote import Zygote

CANARY = "7f3canary"


def sound(form, folder):
    """A sound file of people, with lists, records, dictionaries and dates among the columns."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows = 40
    table = pa.table(
        {
            "age": [20 + i % 30 for i in range(rows)],
            "pay": [1000.0 + 7 * i for i in range(rows)],
            "name": [f"{CANARY}-{7 * i % rows}" for i in range(rows)],
            "town": pa.array([f"town {i % 4}" for i in range(rows)]).dictionary_encode(),
            "many": [[i, None, i + 1] if i % 5 else None for i in range(rows)],
            "both": [{"a": i, "b": f"b{i}"} for i in range(rows)],
        }
    )
    path = folder / f"sound.{form}"
    if form == "csv":
        flat = table.select(["age", "pay", "name"]).to_pylist()
        lines = ["age,pay,name", *(f'{r["age"]},{r["pay"]},"{r["name"]}"' for r in flat)]
        path.write_text("\n".join(lines) + "\n")
    elif form == "parquet":
        pq.write_table(table, path, row_group_size=16)
    else:
        with pa.ipc.new_file(path, table.schema) as writer:
            writer.write_table(table, max_chunksize=16)
    return path.read_bytes()


def damaged(content, rng):
    """Bytes changed, cut out, repeated or put in."""
    made = bytearray(content)
    for _ in range(rng.choice([1, 1, 2, 4, 16])):
        at = rng.randrange(len(made) or 1)
        match rng.randrange(6):
            case 0:
                made[at : at + 1] = bytes([rng.randrange(256)])
            case 1:
                made[at : at + 1] = bytes([(made[at] if made else 0) ^ 1 << rng.randrange(8)])
            case 2:
                del made[at : at + rng.choice([1, 8, 200])]
            case 3:
                made[at:at] = bytes(rng.randrange(256) for _ in range(rng.choice([1, 8])))
            case 4:
                made[at : at + 4] = rng.choice([b"\xff" * 4, b"\x7f\xff\xff\xff", b"\0" * 4])
            case _:
                made = made[: rng.randrange(len(made) + 1)]
    return bytes(made)


def main(form, count, seed, folder):
    zygote = Zygote()
    import tokumei as tk
    from tokumei.release.io import reading
    from tokumei.release.sections import ACCEPTABLE

    reading.subprocess.run = zygote.run
    content, rng = sound(form, folder), random.Random(seed)
    outcomes, said = collections.Counter(), []
    source = folder / f"in.{form}"
    for number in range(count):
        source.write_bytes(damaged(content, rng))
        try:
            done = tk.release.mask_file(
                source,
                folder / "out.parquet",
                k=5,
                quasi=["age", "pay"],
                identifier=["name"],
                other="*",
                accept_risk=dict.fromkeys(ACCEPTABLE, "invented"),
                n_threads=1,
            )
            outcomes["released" if CANARY.encode() not in done.table.read_bytes() else "LEAK"] += 1
        except (tk.release.InputError, tk.release.Refused, MemoryError) as error:
            outcomes[type(error).__name__] += 1
            if CANARY in str(error) or len(str(error).splitlines()) != 1:
                outcomes["SAID"] += 1
        except BaseException as error:
            outcomes["OTHER"] += 1
            said.append(f"{number}: {type(error).__name__}: {error}"[:200])
        left = [p.name for p in folder.iterdir() if p.name.startswith(".")]
        outcomes["LEFT"] += bool(left)
    print(json.dumps({"outcomes": dict(outcomes), "said": said[:5]}))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), Path(sys.argv[4]))

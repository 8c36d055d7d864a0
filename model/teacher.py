"""Teacher vectors of short mined texts, in parts that a later run adds to.

usage: teacher.py DATA BENCH CORPORA SECONDS [THREADS]
Writes DATA/teacher/<n>.npy (float16 unit vectors) and DATA/teacher/<n>.json (the texts as read by
the encoder). A run stops after SECONDS and never repeats a text of an earlier run.
"""
import json
import pathlib
import random
import sys
import time

import numpy as np

from leaks import test_queries, test_shingles
from minilm import MiniLm
from pairs import VARIED
from text import normal, stable_hash
from variants import varied, with_language

SEED = 5
EVERY = 2
PART = 4096
"""Share of each kind among the texts; what is not named has a part of the rest."""
SHARES = {"gloss": 0.25, "sentence": 0.2, "heading": 0.2, "comment": 0.05}
REST = 0.3
WORDS = 20


def pools(mined):
    """Short texts by kind. Glosses and sections are read with what they are about; queries about
    code in the forms in which they are asked."""
    found = {kind: [] for kind in (*SHARES, "rest")}
    for path in sorted(mined.glob("*.jsonl")):
        for index, line in enumerate(path.open()):
            if index % EVERY and not line.startswith('["gloss"'):
                continue
            try:
                kind, _, query, passage, _ = json.loads(line)
            except ValueError:
                continue
            text = f"{query}: {passage}" if kind in ("gloss", "heading") else asked(kind, query)
            found[kind if kind in SHARES else "rest"].append(" ".join(text.split()[:WORDS]))
    return found


def asked(kind, query):
    chance = random.Random(stable_hash(query))
    return with_language(kind, varied(query, chance), chance) if kind in VARIED else query


def mixed(found, chance):
    """All texts in an order in which every stretch holds the kinds by their shares."""
    keyed = []
    for kind, texts in found.items():
        chance.shuffle(texts)
        share = SHARES.get(kind, REST)
        keyed += [(place / share, text) for place, text in enumerate(texts)]
    return [text for _, text in sorted(keyed)]


def main():
    data, bench, corpora = map(pathlib.Path, sys.argv[1:4])
    seconds, threads = float(sys.argv[4]), int(sys.argv[5]) if len(sys.argv) > 5 else 1
    folder = data / "teacher"
    folder.mkdir(exist_ok=True)
    tests, forbidden = test_shingles(bench, corpora), test_queries(bench)
    done = {text for path in folder.glob("*.json") for text in json.loads(path.read_text())}
    texts = mixed(pools(data / "mined"), random.Random(SEED))
    print(len(texts), "texts,", len(done), "done", flush=True)
    model, start, number = MiniLm(data / "minilm", threads=threads), time.time(), len(list(folder.glob("*.npy")))
    for at in range(0, len(texts), PART):
        part = {normal(text): text for text in texts[at:at + PART]}
        part = {key: text for key, text in part.items()
                if key not in done and key not in forbidden and not tests.leaks(key.split())}
        if part:
            save(folder / str(number), model, part)
            number += 1
            print(number * PART, round(time.time() - start), "s", flush=True)
        if time.time() - start > seconds:
            return


def save(path, model, part):
    np.save(path.with_suffix(".npy"), model.encode(list(part.values())).astype(np.float16))
    path.with_suffix(".json").write_text(json.dumps(list(part)))


if __name__ == "__main__":
    main()

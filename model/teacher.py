"""Teacher vectors of short mined texts, in parts that a later run adds to.

usage: teacher.py DATA SECONDS [THREADS]
Writes DATA/teacher/<n>.npy (float16 unit vectors) and DATA/teacher/<n>.json (the texts as read by
the encoder). A run stops after SECONDS and never repeats a text of an earlier run.
"""
import json
import pathlib
import random
import sys
import time

import numpy as np

from minilm import MiniLm

SEED = 5
EVERY = 3
PART = 2048
WORDS = 10
"""Share of each kind among the texts; what is not named has a part of the rest."""
SHARES = {"gloss": 0.25, "sentence": 0.2, "heading": 0.2, "comment": 0.05}
REST = 0.3


def pools(pairs):
    """Short texts by kind. Glosses and sections are read with what they are about. The pairs are
    in normal form and hold nothing of the tests."""
    found = {kind: [] for kind in (*SHARES, "rest")}
    for index, line in enumerate(pairs.open()):
        if index % EVERY:
            continue
        kind, _, query, passage = json.loads(line)
        text = f"{query} {passage}" if kind in ("gloss", "heading") else query
        found[kind if kind in SHARES else "rest"].append(" ".join(text.split()[:WORDS]))
    return found


def mixed(found, chance):
    """All texts in an order in which every stretch holds the kinds by their shares."""
    keyed = []
    for kind, texts in found.items():
        chance.shuffle(texts)
        share = SHARES.get(kind, REST)
        keyed += [(place / share, text) for place, text in enumerate(texts)]
    return [text for _, text in sorted(keyed)]


def main():
    data, seconds = pathlib.Path(sys.argv[1]), float(sys.argv[2])
    threads = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    folder = data / "teacher"
    folder.mkdir(exist_ok=True)
    done = {text for path in folder.glob("*.json") for text in json.loads(path.read_text())}
    texts = mixed(pools(data / "pairs.jsonl"), random.Random(SEED))
    texts = [text for text in dict.fromkeys(texts) if text not in done]
    print(len(texts), "texts,", len(done), "done", flush=True)
    model, start = MiniLm(data / "minilm", threads=threads), time.time()
    number = len(list(folder.glob("*.npy")))
    for at in range(0, len(texts), PART):
        save(folder / str(number), model, texts[at:at + PART])
        number += 1
        print(at + PART, round(time.time() - start), "s", flush=True)
        if time.time() - start > seconds:
            return


def save(path, model, texts):
    np.save(path.with_suffix(".npy"), model.encode(texts).astype(np.float16))
    path.with_suffix(".json").write_text(json.dumps(texts))


if __name__ == "__main__":
    main()

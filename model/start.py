"""The table that training starts from: MiniLM's token vectors, regressed on its text vectors.

usage: start.py DATA   (reads vocabulary.json and teacher/; writes start.npz: table, targets)
"""
import json
import pathlib
import sys

import numpy as np
from tokenizers import Tokenizer

import sparse_adam
from encode import sparse_rows
from minilm import MiniLm

DIMENSION = 256
EPOCHS = 6
BATCH = 512
RATE = 0.003
HELD_OUT = 2000
LONGEST = 64


def token_vectors(data, tokenizer):
    """MiniLM's vector of every token's text."""
    path = data / "tokens.npy"
    if not path.exists():
        size = tokenizer.get_vocab_size()
        names = [tokenizer.id_to_token(token).removeprefix("##") or "." for token in range(size)]
        np.save(path, MiniLm(data / "minilm", longest=12).encode(names))
    return np.load(path)


def teacher(folder):
    """All texts with their vectors, in the order in which they were made."""
    numbers = sorted(int(path.stem) for path in folder.glob("*.npy"))
    texts = [text for n in numbers for text in json.loads((folder / f"{n}.json").read_text())]
    return texts, np.concatenate([np.load(folder / f"{n}.npy") for n in numbers]).astype(np.float32)


def reduced(targets, tokens):
    """Targets and token vectors in the targets' main directions."""
    centred = targets - targets.mean(0)
    _, _, directions = np.linalg.svd(centred[:20_000], full_matrices=False)
    basis = directions[:DIMENSION].T
    targets = centred @ basis
    table = (tokens - tokens.mean(0)) @ basis
    targets /= np.linalg.norm(targets, axis=1, keepdims=True)
    return targets, table / np.linalg.norm(table, axis=1).mean()


def weighted(table, rows):
    """Rare tokens begin with longer rows."""
    used = np.bincount(rows[1], minlength=len(table))
    rarity = np.log((len(rows[0]) + 1) / (used + 1))
    return table * np.sqrt(rarity / rarity[used > 0].mean())[:, None]


def regress(table, rows, targets):
    """Brings the sum of a text's rows into the direction of the teacher's vector."""
    adam, draw = sparse_adam.Adam(table), np.random.default_rng(0)
    count = len(targets) - HELD_OUT
    held = np.arange(count, len(targets))
    total = EPOCHS * (count // BATCH)
    for epoch in range(EPOCHS):
        order = draw.permutation(count)
        for at in range(0, count - BATCH + 1, BATCH):
            chosen = order[at:at + BATCH]
            batch = sparse_adam.subset(*rows, chosen, 0.1, adam.step)
            units, lengths = sparse_adam.unit_sums(table, batch)
            gradient = sparse_adam.through_norm(-targets[chosen] / BATCH, units, lengths)
            adam.update(batch, gradient, RATE * (1 - adam.step / total) + 1e-5)
        units, _ = sparse_adam.unit_sums(table, sparse_adam.subset(*rows, held, 0.0, 0))
        print("epoch", epoch, "cosine", round(float((units * targets[held]).sum(1).mean()), 4),
              flush=True)


def main():
    data = pathlib.Path(sys.argv[1])
    tokenizer = Tokenizer.from_file(str(data / "vocabulary.json"))
    texts, targets = teacher(data / "teacher")
    shuffled = np.random.default_rng(1).permutation(len(texts))
    texts, targets = [texts[i] for i in shuffled], targets[shuffled]
    rows = sparse_rows(tokenizer, texts, LONGEST)
    targets, table = reduced(targets, token_vectors(data, tokenizer))
    table = np.ascontiguousarray(weighted(table, rows), np.float32)
    regress(table, rows, targets)
    np.savez(data / "start.npz", table=table, targets=targets.astype(np.float32), starts=rows[0],
             tokens=rows[1], weights=rows[2])


if __name__ == "__main__":
    main()

"""Contrastive training of the table, with the teacher's vectors as a second aim.

usage: train.py DATA SEED [--epochs N] [--seconds S] [--batch N] [--rate R] [--teacher W] [--mixed M]
Reads pairs.jsonl, vocabulary.json and start.npz; writes tables/SEED.npy, and a checkpoint
every few minutes, from which a stopped run goes on.
"""
import argparse
import json
import pathlib
import time

import numpy as np
from tokenizers import Tokenizer

import sparse_adam
from contrast import Contrast
from encode import Lexicon, count_tokens
from text import stable_hash

LONGEST_QUERY = 64
LONGEST_PASSAGE = 200
DROPOUT = 0.1
WARM_UP = 100
LEAST_RATE = 0.05
TEACHER_BATCH = 512
SCALE, LEAST_SCALE, MOST_SCALE = 20.0, 8.0, 40.0
SAVE_EVERY = 400
LOG_EVERY = 100
FAMILIES = {"py": 0, "file": 2, "path": 2, "defines": 2, "infile": 2} | dict.fromkeys(
    ("comment", "heading", "sentence", "gloss", "manual"), 3)
OTHER_CODE = 1


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("data", type=pathlib.Path)
    parser.add_argument("seed", type=int)
    parser.add_argument("--epochs", type=float, default=2)
    parser.add_argument("--seconds", type=float, default=6000)
    parser.add_argument("--batch", type=int, default=2048)
    parser.add_argument("--rate", type=float, default=0.004)
    parser.add_argument("--teacher", type=float, default=3.0)
    parser.add_argument("--mixed", type=float, default=0.5)
    return parser.parse_args()


class Pairs:
    """All pairs as sparse rows, with hashes that tell equal queries and passages of a batch."""

    def __init__(self, data):
        path = data / "pairs.npz"
        if not path.exists() or path.stat().st_mtime < (data / "pairs.jsonl").stat().st_mtime:
            np.savez(path, **tokenised(data))
        stored = np.load(path)
        self.queries = stored["q0"], stored["q1"], stored["q2"]
        self.passages = stored["p0"], stored["p1"], stored["p2"]
        self.query_hash, self.passage_hash = stored["qh"], stored["ph"]
        self.family = stored["family"]

    def __len__(self):
        return len(self.query_hash)


def tokenised(data):
    tokenizer = Tokenizer.from_file(str(data / "vocabulary.json"))
    rows = [json.loads(line) for line in (data / "pairs.jsonl").open()]
    lexicon = Lexicon()
    queries = lexicon.rows(row[2] for row in rows)
    passages = lexicon.rows(row[3] for row in rows)
    tokens = lexicon.tokens(tokenizer)
    q = count_tokens(*queries, *tokens, LONGEST_QUERY)
    p = count_tokens(*passages, *tokens, LONGEST_PASSAGE)
    others = {"qh": np.array([stable_hash(row[2]) for row in rows]),
              "ph": np.array([stable_hash(row[3][:200]) for row in rows]),
              "family": np.array([FAMILIES.get(row[0], OTHER_CODE) for row in rows])}
    return {f"q{i}": q[i] for i in range(3)} | {f"p{i}": p[i] for i in range(3)} | others


def stacked(*parts):
    """Sparse rows one after the other."""
    starts, offset = [np.zeros(1, np.int64)], 0
    for part in parts:
        starts.append(part[0][1:] + offset)
        offset += part[0][-1]
    return (np.concatenate(starts), np.concatenate([part[1] for part in parts]),
            np.concatenate([part[2] for part in parts]))


class Trainer:
    def __init__(self, options):
        self.options, self.pairs = options, Pairs(options.data)
        start = np.load(options.data / "start.npz")
        self.targets = start["targets"]
        self.teacher_rows = start["starts"], start["tokens"], start["weights"]
        self.adam = sparse_adam.Adam(np.ascontiguousarray(start["table"]))
        self.contrast, self.scale = Contrast(options.batch), SCALE
        self.total = int(options.epochs * len(self.pairs) / options.batch)
        self.checkpoint = options.data / "tables" / f"{options.seed}.checkpoint.npz"

    def resume(self):
        if self.checkpoint.exists():
            stored = np.load(self.checkpoint)
            for name in ("table", "mean", "square"):
                setattr(self.adam, name, stored[name])
            self.adam.step, self.scale = int(stored["step"]), float(stored["scale"])

    def save(self):
        self.checkpoint.parent.mkdir(exist_ok=True)
        partial = self.checkpoint.with_suffix(".partial.npz")
        np.savez(partial, table=self.adam.table, mean=self.adam.mean, square=self.adam.square,
                 step=self.adam.step, scale=self.scale)
        partial.rename(self.checkpoint)

    def order(self, epoch):
        """All pairs in whole batches; those that are not mixed hold one family of kinds, whose
        passages are harder to tell apart."""
        draw, size = np.random.default_rng(self.options.seed * 1000 + epoch), self.options.batch
        order = draw.permutation(len(self.pairs))
        mixed = int(self.options.mixed * len(order))
        own = order[mixed:]
        order[mixed:] = own[np.argsort(self.pairs.family[own], kind="stable")]
        batches = order[:len(order) // size * size].reshape(-1, size)
        return batches[draw.permutation(len(batches))].ravel()

    def batch(self, step):
        per_epoch = len(self.pairs) // self.options.batch
        epoch, place = divmod(step, per_epoch)
        if place == 0 or not hasattr(self, "current"):
            self.current = self.order(epoch)
        return self.current[place * self.options.batch:(place + 1) * self.options.batch]

    def rate(self, share):
        warm = min(1.0, (self.adam.step + 1) / WARM_UP)
        return self.options.rate * warm * (LEAST_RATE + (1 - LEAST_RATE) * (1 - min(1.0, share)))

    def rows(self, chosen, taught):
        seed = self.adam.step + self.options.seed * 100_000
        queries = sparse_adam.subset(*self.pairs.queries, chosen, DROPOUT, seed)
        passages = sparse_adam.subset(*self.pairs.passages, chosen, DROPOUT, seed + 7)
        texts = sparse_adam.subset(*self.teacher_rows, taught, DROPOUT, seed + 3)
        return stacked(queries, passages, texts)

    def step(self, share):
        chosen = self.batch(self.adam.step)
        draw = np.random.default_rng(self.options.seed * 100_000 + self.adam.step)
        taught = draw.integers(0, len(self.targets), TEACHER_BATCH)
        rows = self.rows(chosen, taught)
        units, lengths = sparse_adam.unit_sums(self.adam.table, rows)
        gradient, loss = self.gradient(units, chosen, taught)
        gradient = sparse_adam.through_norm(gradient, units, lengths)
        self.adam.update(rows, gradient, self.rate(share))
        return loss

    def gradient(self, units, chosen, taught):
        """Of the loss by every unit vector: contrast in both directions, and the teacher's."""
        count = len(chosen)
        queries, passages = units[:count], units[count:2 * count]
        hashes = self.pairs.query_hash[chosen], self.pairs.passage_hash[chosen]
        slope, loss, by_scale = self.contrast.slope(queries, passages, hashes, self.scale)
        self.adapt_scale(by_scale)
        taught_slope = -self.options.teacher / TEACHER_BATCH * self.targets[taught]
        return np.concatenate([slope @ passages, slope.T @ queries, taught_slope]), loss

    def adapt_scale(self, slope):
        """Follows the slope of the loss by the logarithm of the scale, slowly."""
        change = 0.003 * np.sign(slope) * min(1.0, abs(slope))
        self.scale = float(np.clip(self.scale * np.exp(-change), LEAST_SCALE, MOST_SCALE))

    def run(self):
        self.resume()
        begin, losses, first = time.time(), [], self.adam.step
        while self.adam.step < self.total:
            spent = time.time() - begin
            share = max(self.adam.step / self.total, spent / self.options.seconds)
            if share >= 1:
                break
            losses.append(self.step(share))
            done = self.adam.step
            if done % LOG_EVERY == 0:
                speed = (done - first) * self.options.batch / (time.time() - begin)
                print(f"step {done}/{self.total} loss {np.mean(losses[-LOG_EVERY:]):.3f} "
                      f"scale {self.scale:.1f} {speed:.0f} pairs/s", flush=True)
            if done % SAVE_EVERY == 0:
                self.save()


def main():
    options = arguments()
    trainer = Trainer(options)
    trainer.run()
    (options.data / "tables").mkdir(exist_ok=True)
    np.save(options.data / "tables" / f"{options.seed}.npy", trainer.adam.table)


if __name__ == "__main__":
    main()

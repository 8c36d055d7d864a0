"""Finds passages that share runs of twelve words with the test sets."""
import json
import pathlib
import re

import numpy as np

from text import parts, stable_hash

RUN = 12
STEP = 4
MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
DOCSTRING = re.compile(r'("""|\'\'\').*?\1', re.S)


class Shingles:
    """The runs of words of the test texts, as sorted hashes."""

    def __init__(self):
        self.words, self.pieces, self.hashes = {}, [], None

    def of(self, words):
        """One hash for each run of RUN words."""
        values = np.array([self.number(word) for word in words], np.uint64)
        count = len(values) - RUN + 1
        if count < 1:
            return np.zeros(0, np.uint64)
        total = np.zeros(count, np.uint64)
        for offset in range(RUN):
            total = total * MULTIPLIER + values[offset:offset + count]
        return total

    def number(self, word):
        if word not in self.words:
            self.words[word] = stable_hash(word) & 0xFFFFFFFFFFFFFFFF
        return self.words[word]

    def add(self, text):
        self.pieces.append(self.of(parts(text)))

    def seal(self):
        self.hashes = np.unique(np.concatenate(self.pieces))
        self.pieces = []

    def leaks(self, words):
        """Whether a fifth of the looked-at runs (at least two), or a third, is in the tests."""
        runs = self.of(words)[::STEP]
        if not len(runs):
            return False
        at = np.minimum(np.searchsorted(self.hashes, runs), len(self.hashes) - 1)
        hits = int((self.hashes[at] == runs).sum())
        return (hits >= 2 and hits >= 0.2 * len(runs)) or (hits >= 1 and hits >= 0.35 * len(runs))


def test_shingles(bench, corpora):
    """Of every file of the benchmark's repositories, and of the function sets without docstrings."""
    shingles = Shingles()
    for path in pathlib.Path(corpora, "code").rglob("*"):
        if path.is_file():
            try:
                shingles.add(path.read_text("utf8"))
            except UnicodeDecodeError:
                continue
    for name in ("pystdlib", "cosqa"):
        for line in pathlib.Path(bench, "text", name, "corpus.jsonl").open():
            shingles.add(DOCSTRING.sub(" ", json.loads(line)["text"]))
    shingles.seal()
    return shingles


def test_queries(bench):
    """All test queries in the encoder's normal form."""
    found = set()
    for path in pathlib.Path(bench, "text").glob("*/queries.jsonl"):
        found |= {" ".join(parts(json.loads(line)["text"])) for line in path.open()}
    for path in pathlib.Path(bench, "code").glob("*/queries.json"):
        queries = json.loads(path.read_text())["queries"]
        found |= {" ".join(parts(query["query"])) for query in queries}
    return found

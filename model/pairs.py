"""Joins the mined pairs: normal form, variants of queries, no duplicates, nothing from the tests.

usage: pairs.py DATA BENCH CORPORA   (writes DATA/pairs.jsonl, rows [kind, package, query, passage])
"""
import collections
import itertools
import json
import os
import pathlib
import random
import sys
from multiprocessing import Pool

from leaks import test_queries, test_shingles
from text import normal, parts, stable_hash
from variants import varied, with_language

SEED = 3
LONGEST = 220
SHORTEST = 6
MOST_OF_QUERY = 3
MOST_OF_KIND = 25_000
MOST_GLOSSES = 120_000
BLOCK = 2000
WORKERS = int(os.environ.get("OMP_NUM_THREADS", "2"))
CODE = {"py", "rs", "go", "java", "js", "php", "rb", "c", "cs", "lua", "erl"}
VARIED = CODE | {"file", "infile"}

tests = None


def normalised(lines):
    """What a worker does with a block of mined rows; None stands for a leak."""
    rows = []
    for line in lines:
        kind, package, query, passage, name = json.loads(line)
        words = parts(passage)[:LONGEST]
        if len(words) >= SHORTEST:
            rows.append(None if tests.leaks(words) else row(kind, package, query, words, name))
    return rows


def row(kind, package, query, words, name):
    chance = random.Random(stable_hash(query))
    asked = varied(query, chance) if kind in VARIED else query
    asked = with_language(kind, asked, chance)
    body, plain_name = " ".join(words), normal(name)
    return [kind, package, normal(asked), masked(kind, body, plain_name, chance), plain_name]


def masked(kind, body, name, chance):
    """Half of the code loses its name, which would answer the query all by itself; all of it that
    is asked for by it."""
    long_enough = len(name.split()) > 1 or len(name) > 5
    if kind == "name" or kind in CODE and long_enough and chance.random() < 0.5:
        return body.replace(name, " ")
    return body


class Filter:
    """Keeps what is not there yet, and not too much of a kind."""

    def __init__(self, forbidden):
        self.forbidden, self.passages = forbidden, set()
        self.queries, self.kinds = collections.Counter(), collections.Counter()
        self.dropped = collections.Counter()

    def reason(self, kind, package, query, passage):
        if not query:
            return "empty"
        if query in self.forbidden:
            return "test query"
        if self.queries[query] >= MOST_OF_QUERY:
            return "query often"
        limit = MOST_GLOSSES if kind == "gloss" else MOST_OF_KIND
        if self.kinds[package, kind] >= limit:
            return "package often"
        return "duplicate" if stable_hash(passage[:300]) in self.passages else ""

    def keeps(self, kind, package, query, passage):
        why = self.reason(kind, package, query, passage)
        if why:
            self.dropped[why] += 1
            return False
        self.passages.add(stable_hash(passage[:300]))
        self.queries[query] += 1
        self.kinds[package, kind] += 1
        return True


def blocks(paths):
    for path in paths:
        with path.open() as lines:
            while block := list(itertools.islice(lines, BLOCK)):
                yield block


def main():
    global tests
    data, bench, corpora = map(pathlib.Path, sys.argv[1:4])
    tests = test_shingles(bench, corpora)
    print("test runs", len(tests.hashes), flush=True)
    keep, kept, chance = Filter(test_queries(bench)), collections.Counter(), random.Random(SEED)
    mined = sorted((data / "mined").glob("*.jsonl"))
    with Pool(WORKERS) as pool, (data / "pairs.jsonl").open("w") as out:
        for found in itertools.chain.from_iterable(pool.imap(normalised, blocks(mined))):
            if found is None:
                keep.dropped["leak"] += 1
            elif keep.keeps(*found[:4]):
                for pair in with_name(found, chance, keep.forbidden):
                    kept[pair[0]] += 1
                    out.write(json.dumps(pair) + "\n")
    packages = len({package for package, _ in keep.kinds})
    print(sum(kept.values()), "pairs of", packages, "packages", kept.most_common())
    print("dropped", keep.dropped.most_common())


def with_name(found, chance, forbidden):
    """The pair, and for some code its name as a query of its own."""
    kind, package, query, passage, name = found
    yield [kind, package, query, passage]
    if kind in CODE and len(name.split()) >= 2 and name not in forbidden and chance.random() < 0.3:
        body = passage.replace(name, " ")
        yield ["name", package, name, f"{query} {body}" if chance.random() < 0.4 else body]


if __name__ == "__main__":
    main()

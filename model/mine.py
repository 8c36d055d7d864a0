"""Mines (query, passage) pairs from the downloaded packages of one registry.

usage: mine.py DATA REGISTRY
Writes DATA/mined/REGISTRY.jsonl, rows [kind, package, query, passage, name], and
DATA/mined/REGISTRY.tsv, rows of package, version, licence and pairs taken (or why not).
"""
import json
import pathlib
import random
import re
import sys
import zlib

import mine_code
import mine_prose
from archives import packages
from excluded import is_excluded, is_excluded_path
from text import normal, stable_hash

MOST_PAIRS = 60_000
LONGEST_PASSAGE = 3000
SHORTEST_PASSAGE = 25
LEAST_LINES = 3


class Writer:
    """Writes each pair once; stops a package that has given enough."""

    def __init__(self, file):
        self.file, self.seen, self.package, self.count = file, set(), "", 0

    def begin(self, package):
        self.package, self.count = package, 0

    def full(self):
        return self.count >= MOST_PAIRS

    def add(self, kind, query, passage, name=""):
        passage = passage[:LONGEST_PASSAGE].strip()
        key = stable_hash(query.lower() + "|" + passage[:200])
        if not query.strip() or len(passage) < SHORTEST_PASSAGE or key in self.seen:
            return
        self.seen.add(key)
        row = [kind, self.package, query.strip(), passage, name]
        self.file.write(json.dumps(row) + "\n")
        self.count += 1


def mine_package(package, writer):
    chance = random.Random(zlib.crc32(package.name.encode()))
    for path, text in package.files:
        if writer.full():
            return
        if is_excluded_path(path):
            continue
        if mine_code.language_of(path):
            source = mine_code.read_source(path, text)
            definition_pairs(source, writer)
            file_pairs(source, writer, chance)
        else:
            for kind, query, passage in mine_prose.pairs_of(path, text):
                writer.add(kind, query, passage)


def definition_pairs(source, writer):
    for found in source.definitions:
        if not found.summary:
            named_pair(found, writer)
            continue
        if found.code.count("\n") + 1 >= LEAST_LINES:
            writer.add(source.language, found.summary, found.code, found.name)
        if len(found.rest) > 200:
            writer.add("comment", found.summary, found.rest[:1500])


def named_pair(found, writer):
    """Code that nobody described is asked for by its name, which it loses."""
    words = normal(found.name)
    is_long = found.code.count("\n") >= LEAST_LINES
    if len(words.split()) >= 2 and is_long and not found.name.startswith(("__", "test")):
        writer.add("name", words, found.code, found.name)


def file_pairs(source, writer, chance):
    """What a whole file is asked for by: its summary, its path, what it defines."""
    windows = mine_code.windows(source)
    if not windows or not source.definitions:
        return
    path = path_words(source.path)
    if source.summary:
        writer.add("file", source.summary, f"{path} {chance.choice(windows[:3])}")
    if len(path.split()) >= 2:
        writer.add("path", path, chance.choice(windows[:4]))
    names = [found.name for found in source.definitions if len(found.name) > 4]
    if len(names) >= 3:
        query = " ".join(chance.sample(names, 2))
        writer.add("defines", query, f"{path} {chance.choice(windows)}")
    summaries = [found.summary for found in source.definitions if found.summary]
    for summary in chance.sample(summaries, min(2, len(summaries))):
        writer.add("infile", summary, f"{path} {chance.choice(windows)}")


SAYS_NOTHING = set("src lib main index init mod usr share package dist site packages include "
                   "python 3 js java go ruby php vendor core esm cjs".split())


def path_words(path):
    """The words of a file's name and of its last two folders."""
    stem = re.sub(r"\.\w+$", "", "/".join(path.split("/")[-3:]))
    words = [word for word in normal(stem).split() if word not in SAYS_NOTHING]
    return " ".join(dict.fromkeys(words))


def refusal(package):
    if is_excluded(package.name):
        return "benchmark"
    return "" if package.permissive else "licence"


def main():
    data, registry = pathlib.Path(sys.argv[1]), sys.argv[2]
    out = data / "mined"
    out.mkdir(exist_ok=True)
    with (out / f"{registry}.jsonl").open("w") as pairs, (out / f"{registry}.tsv").open("w") as log:
        writer = Writer(pairs)
        for package in packages(data / registry, registry):
            writer.begin(package.name)
            outcome = refusal(package)
            if not outcome:
                mine_package(package, writer)
                outcome = str(writer.count)
            licence = re.sub(r"\s+", " ", package.licence)[:120]
            log.write("\t".join([package.name, package.version, licence, outcome]) + "\n")
            log.flush()


if __name__ == "__main__":
    main()

"""The labelled sets: texts, queries, gains, and how they are scored."""
import json
import pathlib
from dataclasses import dataclass

import numpy as np

from text import normal

TEXT_SETS = ("pystdlib", "cosqa", "cranfield", "cisi", "npl", "nfcorpus")
PROSE = TEXT_SETS[2:]
WINDOW = 1000
LARGEST = 1_000_000


@dataclass
class Set:
    name: str
    queries: list
    documents: list
    """For each query: gain by target; a target is a document, or a file for code."""
    gains: list
    """The file of each document, or None where documents are targets themselves."""
    files: object = None

    def score(self, scores):
        """Mean NDCG@10, or MRR@10 for the standard library."""
        per_query = [self.of_query(row, gains) for row, gains in zip(scores, self.gains)]
        return float(np.mean(per_query))

    def of_query(self, row, gains):
        top = np.argsort(-row, kind="stable")[:10]
        ranks = first_ranks(top if self.files is None else self.files[top])
        if self.name == "pystdlib":
            return max((1 / (ranks[t] + 1) for t in gains if t in ranks), default=0.0)
        found = sum(gain / np.log2(ranks[t] + 2) for t, gain in gains.items() if t in ranks)
        ideal = sorted(gains.values(), reverse=True)[:10]
        return found / sum(gain / np.log2(rank + 2) for rank, gain in enumerate(ideal))


def first_ranks(targets):
    ranks = {}
    for rank, target in enumerate(targets):
        ranks.setdefault(int(target), rank)
    return ranks


def text_set(bench, name):
    folder = pathlib.Path(bench, "text", name)
    documents = [json.loads(line) for line in (folder / "corpus.jsonl").open()]
    place = {document["_id"]: index for index, document in enumerate(documents)}
    gains = {}
    for line in (folder / "qrels.tsv").read_text().splitlines()[1:]:
        query, document, gain = line.split("\t")
        if float(gain) > 0 and document in place:
            gains.setdefault(query, {})[place[document]] = float(gain)
    queries = [json.loads(line) for line in (folder / "queries.jsonl").open()]
    queries = [query for query in queries if query["_id"] in gains]
    return Set(name, [query["text"] for query in queries], [titled(d) for d in documents],
               [gains[query["_id"]] for query in queries])


def titled(document):
    title, text = document.get("title") or "", document["text"]
    return text if not title or text.startswith(title) else f"{title} {text}"


def code_set(bench, corpora, repository):
    """Windows of WINDOW characters with the path's words before them, as kitfox indexes a file."""
    labels = json.loads(pathlib.Path(bench, "code", repository, "queries.json").read_text())
    root = pathlib.Path(corpora, "code", repository)
    paths, documents, files = [], [], []
    for path in sorted(root.rglob("*")):
        text = readable(path)
        if text is None:
            continue
        name = str(path.relative_to(root))
        for window in windows(text):
            documents.append(f"{normal(name)}\n{window}")
            files.append(len(paths))
        paths.append(name)
    queries, gains = labelled(labels["queries"], paths)
    return Set("code:" + repository, queries, documents, gains, np.array(files))


def readable(path):
    if not path.is_file() or path.stat().st_size > LARGEST:
        return None
    try:
        return path.read_text("utf8")
    except UnicodeDecodeError:
        return None


def windows(text):
    piece, size = [], 0
    for line in text.split("\n"):
        piece.append(line)
        size += len(line) + 1
        if size >= WINDOW:
            yield "\n".join(piece)
            piece, size = [], 0
    if size > 1:
        yield "\n".join(piece)


def labelled(queries, paths):
    """Every target gains 1; one that no file matches stays unreachable."""
    gains = []
    for query in queries:
        targets = [t if isinstance(t, str) else t["path"]
                   for t in query["relevant"] + query.get("secondary", [])]
        gains.append({place_of(target, paths, -1 - at): 1.0 for at, target in enumerate(targets)})
    return [query["query"] for query in queries], gains


def place_of(target, paths, missing):
    for place, path in enumerate(paths):
        if path == target or path.endswith("/" + target):
            return place
    return missing


def exact_repositories(bench):
    for path in sorted(pathlib.Path(bench, "code").glob("*/queries.json")):
        if json.loads(path.read_text())["exact_revision"]:
            yield path.parent.name

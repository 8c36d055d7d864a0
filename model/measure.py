"""Measures embedding models on all dev sets, alone and fused with BM25.

usage: measure.py BENCH CORPORA CACHE MODEL ...
MODEL is a folder with model.safetensors and vocab.txt, `minilm:FOLDER`, or `wordllama`.
Code is scored over passages as measure_code.py does, with path words in both legs; fused also with
every further hit of a file at half its score (`spread`).
"""
import json
import pathlib
import pickle
import sys

import numpy as np
import scipy.sparse
from safetensors.numpy import load_file
from tokenizers import Tokenizer, models, pre_tokenizers

import testsets
from encode import sparse_rows, vectors
from text import normal, parts

K1, B = 1.2, 0.75
WEIGHTS = (0.4, 0.5, 0.6, 0.7, 0.75, 0.8)
FURTHER_HIT = 0.5
CUT = 300
SUFFIXES = ("ing", "ers", "ies", "es", "ed", "s")
STOP_WORDS = set(
    "a an and are as at be by can do does for from has have how i if in is it its of on or so that "
    "the their there these they this to was we what when where which who why will with you "
    "your".split())


def terms(text):
    return [stem(word) for word in parts(text) if len(word) > 1 and word not in STOP_WORDS]


def stem(word):
    for suffix in SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) > 2:
            return word[:-len(suffix)]
    return word


def counts(texts, numbers, grow):
    """Term counts as a sparse matrix; `numbers` gains new terms only where it may `grow`."""
    rows, columns = [], []
    for row, text in enumerate(texts):
        for term in terms(text):
            if grow or term in numbers:
                rows.append(row)
                columns.append(numbers.setdefault(term, len(numbers)))
    values = np.ones(len(rows), np.float32)
    matrix = scipy.sparse.coo_matrix((values, (rows, columns)), (len(texts), len(numbers))).tocsr()
    matrix.sum_duplicates()
    return matrix


def bm25(queries, documents):
    numbers = {}
    matrix = counts(documents, numbers, True)
    lengths = np.asarray(matrix.sum(1)).ravel()
    used = np.bincount(matrix.indices, minlength=len(numbers))
    rarity = np.log(1 + (len(documents) - used + 0.5) / (used + 0.5))
    rows = np.repeat(np.arange(len(documents)), np.diff(matrix.indptr))
    norm = K1 * (1 - B + B * lengths[rows] / lengths.mean())
    matrix.data = (rarity[matrix.indices] * matrix.data * (K1 + 1) / (matrix.data + norm))
    asked = counts(queries, numbers, False)
    return np.asarray((asked @ matrix.T).todense(), np.float32)


class Table:
    """A static model from its files, read as kitfox-embed reads it."""

    def __init__(self, folder):
        stored = load_file(pathlib.Path(folder, "model.safetensors"))
        self.table = stored["embeddings"].astype(np.float32) * stored["scales"][:, None]
        words = pathlib.Path(folder, "vocab.txt").read_text().splitlines()
        numbers = {word: number for number, word in enumerate(words)}
        model = models.WordPiece(numbers, unk_token="[UNK]", max_input_chars_per_word=100)
        self.tokenizer = Tokenizer(model)
        self.tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()

    def encode(self, texts):
        rows = sparse_rows(self.tokenizer, [normal(text) for text in texts])
        return vectors(self.table, rows).astype(np.float32)


class WordLlama:
    def __init__(self):
        from wordllama import WordLlama as Published
        self.model = Published.load()

    def encode(self, texts):
        return self.model.embed([normal(text) for text in texts], norm=True)


def model_of(name):
    if name == "wordllama":
        return WordLlama()
    if name.startswith("minilm:"):
        from minilm import MiniLm
        return MiniLm(name.removeprefix("minilm:"), longest=200, threads=2,
                      graph="model.onnx")
    return Table(name)


def sets(bench, corpora, cache):
    """All sets with their BM25 scores, computed once."""
    path = pathlib.Path(cache)
    if path.exists():
        return pickle.loads(path.read_bytes())
    found = [testsets.text_set(bench, name) for name in testsets.TEXT_SETS]
    found += [testsets.code_set(bench, corpora, name)
              for name in testsets.exact_repositories(bench)]
    scored = [(each, bm25(each.queries, each.documents)) for each in found]
    path.write_bytes(pickle.dumps(scored))
    return scored


def fused(cosines, words, weight):
    """As kitfox_rank::fuse; a query whose words are nowhere is answered by meaning alone."""
    best = words.max(1, keepdims=True)
    meaning = (cosines + 1) / (cosines.max(1, keepdims=True) + 1)
    both = weight * meaning + (1 - weight) * words / np.maximum(best, 1e-9)
    return np.where(best > 0, both, meaning)


def spread(scores, files):
    """Lowers every hit of a file but its best, so that ten places hold more files."""
    out = scores.copy()
    for row in out:
        seen = set()
        for at in np.argsort(-row, kind="stable")[:CUT]:
            if files[at] in seen:
                row[at] *= FURTHER_HIT
            seen.add(files[at])
    return out


def figures(each, words, model):
    cosines = model.encode(each.queries) @ model.encode(each.documents).T
    found = {"bm25": each.score(words), "dense": each.score(cosines)}
    for weight in WEIGHTS:
        scores = fused(cosines, words, weight)
        found[f"fused {weight}"] = each.score(scores)
        if each.files is not None:
            found[f"spread {weight}"] = each.score(spread(scores, each.files))
    return found


def means(rows, names):
    return {key: float(np.mean([rows[name][key] for name in names])) for key in rows[names[0]]}


def show(title, rows):
    print(f"\n## {title}\n")
    keys = list(rows["code"])
    print("| set | " + " | ".join(keys) + " |\n|" + "---|" * (len(keys) + 1))
    for name, row in rows.items():
        cells = [f"{row[key]:.3f}" if key in row else "" for key in keys]
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


def main():
    bench, corpora, cache, *names = sys.argv[1:]
    scored = sets(bench, corpora, cache)
    for name in names:
        model = model_of(name)
        rows = {each.name: figures(each, words, model) for each, words in scored}
        code = [key for key in rows if key.startswith("code:")]
        table = {key: rows[key] for key in testsets.TEXT_SETS}
        table["prose"] = means(rows, list(testsets.PROSE))
        table["code"] = means(rows, code)
        show(name, table)
        print(json.dumps({"model": name, "figures": rows}), file=sys.stderr)


if __name__ == "__main__":
    main()

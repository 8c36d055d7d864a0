"""Writes a trained table as the files of crates/kitfox-model/data: one byte a value, a scale a row.

usage: export.py DATA OUT TABLE.npy [TABLE.npy ...]   (several tables are averaged)
"""
import pathlib
import sys

import numpy as np
from safetensors.numpy import save_file
from tokenizers import Tokenizer


def quantised(table):
    scales = np.abs(table).max(1, keepdims=True) / 127 + 1e-12
    return np.clip(np.round(table / scales), -127, 127).astype(np.int8), scales.astype(np.float32)


def words(data):
    tokenizer = Tokenizer.from_file(str(data / "vocabulary.json"))
    return [tokenizer.id_to_token(token) for token in range(tokenizer.get_vocab_size())]


def main():
    data, out = map(pathlib.Path, sys.argv[1:3])
    table = np.mean([np.load(path) for path in sys.argv[3:]], axis=0)
    rows, scales = quantised(table)
    out.mkdir(parents=True, exist_ok=True)
    save_file({"embeddings": rows, "scales": scales[:, 0].copy()}, out / "model.safetensors")
    (out / "vocab.txt").write_text("\n".join(words(data)) + "\n")


if __name__ == "__main__":
    main()

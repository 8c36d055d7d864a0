"""The teacher: sentence vectors of all-MiniLM-L6-v2."""
import pathlib

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

BATCH = 64


class MiniLm:
    def __init__(self, folder, longest=40, threads=1, graph="model-int8.onnx"):
        folder = pathlib.Path(folder)
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(longest)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.log_severity_level = 3
        self.session = onnxruntime.InferenceSession(str(folder / graph), options)

    def encode(self, texts):
        """One unit vector a text. Texts of like length share a batch."""
        tokens = [encoding.ids for encoding in self.tokenizer.encode_batch(texts)]
        order = sorted(range(len(texts)), key=lambda index: len(tokens[index]))
        vectors = np.zeros((len(texts), 384), np.float32)
        for start in range(0, len(order), BATCH):
            batch = order[start:start + BATCH]
            vectors[batch] = self.mean([tokens[index] for index in batch])
        return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)

    def mean(self, tokens):
        ids = np.zeros((len(tokens), max(map(len, tokens))), np.int64)
        mask = np.zeros_like(ids)
        for row, found in enumerate(tokens):
            ids[row, :len(found)] = found
            mask[row, :len(found)] = 1
        states = self.session.run(None, {"input_ids": ids, "attention_mask": mask})[0]
        return (states * mask[..., None]).sum(1) / mask.sum(1, keepdims=True)

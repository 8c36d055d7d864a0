"""The encoder: normal text -> distinct tokens weighted by 1 + ln(count) -> unit vectors.

The same as kitfox-embed, on texts that are already in normal form, as sparse matrices.
"""
import array

import numba
import numpy as np
import scipy.sparse

MAX_TOKENS = 400


class Lexicon:
    """Numbers the distinct words of all texts, so that each is cut into tokens once."""

    def __init__(self):
        self.numbers = {}

    def rows(self, texts):
        """Where each text's words begin, and the words' numbers."""
        numbers, starts = array.array("i"), [0]
        known, number = self.numbers, self.numbers.setdefault
        for text in texts:
            numbers.extend([number(word, len(known)) for word in text.split()])
            starts.append(len(numbers))
        return np.array(starts), np.frombuffer(numbers, np.int32)

    def tokens(self, tokenizer):
        """Where each word's tokens begin, and the tokens."""
        tokens, starts, words = array.array("i"), [0], list(self.numbers)
        tokenizer.no_padding()
        tokenizer.no_truncation()
        for start in range(0, len(words), 20_000):
            batch = words[start:start + 20_000]
            for encoding in tokenizer.encode_batch(batch, add_special_tokens=False):
                tokens.extend(encoding.ids)
                starts.append(len(tokens))
        return np.array(starts), np.frombuffer(tokens, np.int32)


@numba.njit(cache=True)
def count_tokens(starts, words, word_starts, word_tokens, longest):
    """Sparse rows (starts, tokens, weights) of the first `longest` tokens of every text."""
    size = 0
    for word in words:
        size += word_starts[word + 1] - word_starts[word]
    row_starts = np.zeros(len(starts), np.int64)
    tokens, weights = np.empty(size, np.int32), np.empty(size, np.float32)
    buffer, filled = np.empty(longest, np.int32), 0
    for text in range(len(starts) - 1):
        length = 0
        for at in range(starts[text], starts[text + 1]):
            for piece in range(word_starts[words[at]], word_starts[words[at] + 1]):
                if length < longest:
                    buffer[length] = word_tokens[piece]
                    length += 1
        ordered, at = np.sort(buffer[:length]), 0
        while at < length:
            same = 1
            while at + same < length and ordered[at + same] == ordered[at]:
                same += 1
            tokens[filled], weights[filled] = ordered[at], 1 + np.log(same)
            filled += 1
            at += same
        row_starts[text + 1] = filled
    return row_starts, tokens[:filled].copy(), weights[:filled].copy()


def sparse_rows(tokenizer, texts, longest=MAX_TOKENS):
    lexicon = Lexicon()
    starts, words = lexicon.rows(texts)
    return count_tokens(starts, words, *lexicon.tokens(tokenizer), longest)


def vectors(table, rows):
    """Unit vectors; a text without tokens gets zeros."""
    starts, tokens, weights = rows
    shape = (len(starts) - 1, len(table))
    sums = np.asarray(scipy.sparse.csr_matrix((weights, tokens, starts), shape) @ table)
    return sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-9)

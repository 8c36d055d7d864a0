"""The kernels of training: sums of token rows, and an Adam step on only the rows that were read."""
import numba
import numpy as np


@numba.njit(parallel=True, fastmath=True, cache=True)
def sums(table, starts, tokens, weights, out):
    for row in numba.prange(len(starts) - 1):
        total = np.zeros(table.shape[1], np.float32)
        for at in range(starts[row], starts[row + 1]):
            vector, weight = table[tokens[at]], weights[at]
            for d in range(table.shape[1]):
                total[d] += weight * vector[d]
        out[row] = total


@numba.njit(cache=True)
def subset(starts, tokens, weights, chosen, dropout, seed):
    """The chosen rows; of longer rows each token is left out with the chance `dropout`."""
    np.random.seed(seed)
    size = 0
    for row in chosen:
        size += starts[row + 1] - starts[row]
    out_starts = np.zeros(len(chosen) + 1, np.int64)
    out_tokens, out_weights, filled = np.empty(size, np.int32), np.empty(size, np.float32), 0
    for place in range(len(chosen)):
        first, last = starts[chosen[place]], starts[chosen[place] + 1]
        for at in range(first, last):
            if last - first > 4 and np.random.random() < dropout:
                continue
            out_tokens[filled], out_weights[filled] = tokens[at], weights[at]
            filled += 1
        out_starts[place + 1] = filled
    return out_starts, out_tokens[:filled], out_weights[:filled]


def by_token(starts, tokens, weights):
    """Distinct tokens, where each one's uses begin, and the rows and weights of the uses."""
    rows = np.repeat(np.arange(len(starts) - 1, dtype=np.int32), np.diff(starts))
    order = np.argsort(tokens, kind="stable")
    ordered = tokens[order]
    begins = np.r_[0, np.flatnonzero(np.diff(ordered)) + 1, len(ordered)].astype(np.int64)
    return ordered[begins[:-1]].astype(np.int32), begins, rows[order], weights[order]


@numba.njit(parallel=True, fastmath=True, cache=True)
def adam(table, mean, square, tokens, begins, rows, weights, gradient, rate, step):
    """`gradient` is that of the loss by every text's sum."""
    first, second = np.float32(0.9), np.float32(0.99)
    mean_scale = np.float32(1 / (1 - 0.9 ** step))
    square_scale = np.float32(1 / (1 - 0.99 ** step))
    for place in numba.prange(len(tokens)):
        token, total = tokens[place], np.zeros(table.shape[1], np.float32)
        for use in range(begins[place], begins[place + 1]):
            weight, row = weights[use], gradient[rows[use]]
            for d in range(table.shape[1]):
                total[d] += weight * row[d]
        for d in range(table.shape[1]):
            mean[token, d] = first * mean[token, d] + (1 - first) * total[d]
            square[token, d] = second * square[token, d] + (1 - second) * total[d] * total[d]
            size = np.sqrt(square[token, d] * square_scale) + np.float32(1e-8)
            table[token, d] -= rate * mean[token, d] * mean_scale / size


class Adam:
    def __init__(self, table):
        self.table, self.step = table, 0
        self.mean, self.square = np.zeros_like(table), np.zeros_like(table)

    def update(self, rows, gradient, rate):
        self.step += 1
        adam(self.table, self.mean, self.square, *by_token(*rows), gradient, np.float32(rate),
             self.step)


def unit_sums(table, rows):
    """Unit vectors of the rows and the lengths they had."""
    out = np.empty((len(rows[0]) - 1, table.shape[1]), np.float32)
    sums(table, *rows, out)
    lengths = np.sqrt((out * out).sum(1, keepdims=True)) + 1e-6
    return out / lengths, lengths


def through_norm(gradient, units, lengths):
    """The gradient by a sum, from that by its unit vector."""
    along = (gradient * units).sum(1, keepdims=True)
    return ((gradient - units * along) / lengths).astype(np.float32)

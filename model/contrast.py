"""The slope of the contrastive loss by the cosines of a batch, in both directions at once."""
import numba
import numpy as np


@numba.njit(parallel=True, cache=True)
def blind(shares, queries, passages):
    """Pairs with an equal query or an equal passage are no negatives of each other."""
    for row in numba.prange(len(queries)):
        for column in range(len(queries)):
            equal = queries[row] == queries[column] or passages[row] == passages[column]
            if equal and row != column:
                shares[row, column] = 0


@numba.njit(parallel=True, fastmath=True, cache=True)
def slopes(shares, cosines, by_row, by_column, size):
    """Turns the shares into slopes; returns the slope of the loss by the logarithm of the scale."""
    count, total = len(by_row), np.float32(0)
    for row in numba.prange(count):
        own = np.float32(0)
        for column in range(count):
            slope = shares[row, column] * (by_row[row] + by_column[column])
            if row == column:
                slope -= np.float32(1)
            slope *= size
            shares[row, column] = slope
            own += slope * cosines[row, column]
        total += own
    return total


class Contrast:
    """Keeps its two matrices, as fresh ones cost more than the arithmetic."""

    def __init__(self, count):
        self.cosines, self.shares = (np.empty((count, count), np.float32) for _ in range(2))

    def slope(self, queries, passages, hashes, scale):
        cosines, shares, scale = self.cosines, self.shares, np.float32(scale)
        np.matmul(queries, passages.T, out=cosines)
        np.multiply(cosines, scale, out=shares)
        np.subtract(shares, scale, out=shares)
        np.exp(shares, out=shares)
        blind(shares, *hashes)
        rows, columns = shares.sum(1), shares.sum(0)
        loss = float(-np.log(np.diag(shares) / rows + 1e-9).mean())
        half = np.float32(0.5)
        by_scale = slopes(shares, cosines, half / rows, half / columns, scale / len(rows))
        return shares, loss, float(by_scale)

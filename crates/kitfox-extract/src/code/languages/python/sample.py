#!/usr/bin/env python
"""A store of values in memory."""

import json
from typing import Generic, TypeVar

V = TypeVar("V")

# How many values fit.
CAPACITY: int = 1024

type Listener[T] = Callable[[T], None]


@dataclass
class Store(Base, Generic[V]):
    # A remark.
    """Keeps values.

    It forgets them.
    """

    values: dict[str, V]
    limit = 10

    def __init__(self, values):
        self.values = values

    @property
    def size(self) -> int:
        return len(self.values)

    # Not for others.
    async def _get(self, key: str, *, default: V | None = None) -> V:
        r'''Finds a value.'''

        def normalized(key):
            return key.strip()

        return self.values.get(normalized(key), default)

    class Error(Exception):
        pass


if CAPACITY:
    def count(store):
        """
        Counts what is kept.
        """
        return store.size


class TestStore:
    @pytest.mark.slow
    def test_values_are_found(self):
        assert Store({"a": 1})._get("a") == 1


def test_nothing_is_found():
    assert Store({})._get("a") is None

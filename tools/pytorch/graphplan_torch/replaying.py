"""Which captured bucket serves a batch, and who the rows are that fill it up."""

from __future__ import annotations

from collections.abc import Iterable

from .buckets import Shape


def tightest(captured: Iterable[Shape], bs: int, tokens: int) -> Shape | None:
    """The smallest captured bucket by (tokens, bs) that holds this batch; None: run eagerly."""
    fits = [shape for shape in captured if shape.bs >= bs and shape.tokens >= tokens]
    return min(fits, key=lambda shape: (shape.tokens, shape.bs), default=None)


class PaddingRows:
    """Identities of padding rows: negative, stable, and never a request's.

    They count down from -2, since requests count from 0 and -1 means unset. Rows of different slots
    differ, so that two graphs never share one row's state.
    """

    _FIRST = -2

    def __init__(self) -> None:
        self._ids: dict[tuple[str, int, int], int] = {}

    def ids(self, walk: str, slot: int, first: int, count: int) -> list[int]:
        """Of the rows `first` to `first + count` of a walk's slot, the same ones every time."""
        return [self._id((walk, slot, row)) for row in range(first, first + count)]

    def _id(self, row: tuple[str, int, int]) -> int:
        return self._ids.setdefault(row, self._FIRST - len(self._ids))


class Turns:
    """Slots of a bucket take turns, so that one is prepared while the other runs."""

    def __init__(self, slots: int) -> None:
        self._slots = slots
        self._next = 0

    def take(self) -> int:
        slot, self._next = self._next, (self._next + 1) % self._slots
        return slot

"""How much executable memory a walk's graphs take: readings after each copy of one graph.

The driver maps executable memory in pieces of 2 MiB, outside any allocator, and keeps a destroyed
graph's to reuse. So the copies are held until everything is measured.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

PIECE = 2 * 2**20
#: copies are counted until they take 16 MiB, so the one piece added to a count is an eighth of it at most
COUNTED = 16 * 2**20
TRIES = 4
#: copies counted at least where other processes move the readings: a jump of theirs shows beside others only
FEWEST_SHARED = 3
MOST_COPIES = 512


@dataclass(frozen=True)
class Executable:
    """What copies of one graph showed about its walk."""

    nodes: int
    copies: int
    bytes_per_node: float
    held_bytes: int
    curve_bytes: tuple[int, ...] = ()

    def outside_bytes(self, nodes: int) -> int:
        return round(nodes * self.bytes_per_node)

    def document(self) -> dict[str, Any]:
        entry: dict[str, Any] = {
            "nodes": self.nodes,
            "bytes_per_node": self.bytes_per_node,
            "held_bytes": self.held_bytes,
            "copies": self.copies,
        }
        if self.curve_bytes:
            entry["curve_bytes"] = list(self.curve_bytes)
        return entry


class CopyCount:
    """Readings of used memory, one after each copy, and what they say.

    The count starts after the first copy that takes memory and ends at 16 MiB, after three copies at least
    where the readings are not this process's `own`. A copy after which used memory fell spoils it, and so
    does one that took more than two pieces above the mean: another process may allocate and free while we
    look. 4 tries, then the largest rate seen.
    """

    def __init__(self, nodes: int, used: int, own: bool) -> None:
        self._nodes = nodes
        self._used = used
        self._own = own
        self._drops: list[int] | None = None
        self._tries = 0
        self._rates: list[float] = []
        self._kept: tuple[float, float] | None = None  # rate, bytes a copy holds for certain
        self._curve = [0]
        self._fell = False

    @property
    def copies(self) -> int:
        return len(self._curve) - 1

    @property
    def counted(self) -> bool:
        """Whether another copy would tell nothing about the rate."""
        return self._kept is not None or self._tries >= TRIES

    def add(self, used: int) -> None:
        """A copy was made, after which this much is used."""
        took, self._used = used - self._used, used
        self._curve.append(self._curve[-1] + took)
        self._fell |= took < 0
        if self.counted:
            return
        if took < 0:
            self._spoil()
        elif self._drops is None:
            self._drops = [] if took > 0 else None
        else:
            self._drops.append(took)
            if sum(self._drops) >= COUNTED and self._enough(self._drops):
                self._close()

    def result(self) -> Executable | None:
        """None where no copy was made, or none could be counted."""
        if not self.copies:
            return None
        curve = tuple(self._curve) if self._curve_is_ours() else ()
        if self._kept is not None:
            rate, each = self._kept
            return Executable(self._nodes, self.copies, rate, max(0, int(self.copies * each)), curve)
        rates = list(self._rates)
        if self._drops:
            rates.append(self._rate(self._drops))
        elif self._drops is None and not self._tries:
            rates.append(PIECE / (self.copies * self._nodes))  # every copy fit in a piece mapped before
        return Executable(self._nodes, self.copies, max(rates), 0, curve) if rates else None

    def _rate(self, drops: list[int]) -> float:
        return (sum(drops) + PIECE) / (len(drops) * self._nodes)

    def _enough(self, drops: list[int]) -> bool:
        return self._own or len(drops) >= FEWEST_SHARED

    def _curve_is_ours(self) -> bool:
        """Whether nothing shows another process in it: a rise, a jump, or a change that is no whole piece."""
        if self._fell:
            return False
        if self._own:
            return True
        taken = [after - before for before, after in pairwise(self._curve)]
        if self._tries or any(took % PIECE for took in taken):
            return False
        drops = self._drops or []
        return not drops or (self._enough(drops) and all(_near_mean(took, drops) for took in taken))

    def _close(self) -> None:
        drops = self._drops or []
        if _near_mean(max(drops), drops):
            # two pieces less: the count may start partway into one and leave the last one partly unused
            self._kept = (self._rate(drops), (sum(drops) - 2 * PIECE) / len(drops))
        else:
            self._rates.append(self._rate(drops))
            self._spoil()

    def _spoil(self) -> None:
        self._tries += 1
        self._drops = None


def _near_mean(took: int, drops: list[int]) -> bool:
    return took <= sum(drops) / len(drops) + 2 * PIECE


def measure(
    nodes: int, copy: Callable[[], bool], used: Callable[[], int], own: bool, wanted: int = 0
) -> Executable | None:
    """Makes copies until the rate is counted and the curve reaches `wanted` graphs.

    `copy` makes one more and returns False where the driver refused; `own`: `used` is this process's alone.
    """
    count = CopyCount(nodes, used(), own)
    while count.copies < MOST_COPIES and not (count.counted and count.copies >= wanted):
        if not copy():
            break
        count.add(used())
    return count.result()


class Copies:
    """Every copy of a sizing run, destroyed together at its end."""

    def __init__(self, driver: Any) -> None:
        self._driver = driver
        self._made: list[Any] = []

    def of(self, raw_graph: int) -> Callable[[], bool]:
        def copy() -> bool:
            made = self._driver.instantiate(raw_graph)
            if made is not None:
                self._made.append(made)
            return made is not None

        return copy

    def release(self) -> None:
        while self._made:
            self._driver.destroy(self._made.pop())


@contextmanager
def held_copies(driver: Any) -> Iterator[Copies]:
    copies = Copies(driver)
    try:
        yield copies
    finally:
        copies.release()

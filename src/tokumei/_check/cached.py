"""What an object computes once, without the lock that Python 3.11 holds around it.

That lock is one for all objects of a class: two threads, each computing for an object of its own
one value that needs another, wait for each other for ever where they need them in opposite orders.
From Python 3.12 on there is none. Two threads that ask one object at once may both compute; a value
is what its object says, so it does not matter whose is kept.
"""

from __future__ import annotations

import functools
from typing import Any, Self, TypeVar, overload

T_co = TypeVar("T_co", covariant=True)


class cached_property(functools.cached_property[T_co]):  # noqa: TID251 - the lock is left out
    """`functools.cached_property` that holds no lock."""

    @overload
    def __get__(self, instance: None, owner: type[Any] | None = None) -> Self: ...
    @overload
    def __get__(self, instance: object, owner: type[Any] | None = None) -> T_co: ...
    def __get__(self, instance: object, owner: type[Any] | None = None) -> Any:
        if instance is None:
            return self
        return instance.__dict__.setdefault(str(self.attrname), self.func(instance))

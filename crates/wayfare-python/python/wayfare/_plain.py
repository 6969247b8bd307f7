"""Values of Python and of numpy as JSON has them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy


def plain(value: Any) -> Any:
    """A value as JSON has it: numbers of numpy are numbers, and infinity is a text."""
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, str | bool | int | None):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, numpy.ndarray | numpy.generic):
        return plain(value.tolist())
    if isinstance(value, list | tuple | range):
        return [plain(item) for item in value]
    raise TypeError(
        f"a command or a sweep has no value of the type {type(value).__qualname__}; "
        "allowed: numbers, texts, lists, arrays and dictionaries"
    )

"""Conversion of what Python programs write to arrays of one type and length.

The extension calls these functions where the fast path does not apply: if a value is no array of
exactly the wanted type and length.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt


def _array(value: Any) -> npt.NDArray[Any]:
    """Return an array. Integers stay integers: of a list of large ones, NumPy makes floats."""
    array = np.asarray(value)
    if array.dtype.kind != "f" or not array.size or hasattr(value, "dtype"):
        return array
    objects = np.asarray(value, object)
    if not all(isinstance(item, (int, np.integer)) for item in objects.flat):
        return array
    least, most = min(objects.flat), max(objects.flat)
    if least < 0:
        raise OverflowError(f"no type of integers holds both {least} and {most}")
    return objects.astype(np.uint64)


def _spread(array: npt.NDArray[Any], count: int, what: str) -> npt.NDArray[Any]:
    if array.ndim == 0:
        return np.full(count, array)
    if array.shape != (count,):
        raise ValueError(f"expected {count} {what} or one for all, found an array of shape {array.shape}")
    return np.ascontiguousarray(array)


def fit(value: Any, dtype: str, count: int) -> npt.NDArray[Any]:
    """Return an array of a type. Numbers that do not fit are errors."""
    array, target = _array(value), np.dtype(dtype)
    allowed = {"b": "b", "i": "biu", "u": "biu", "f": "biuf"}[target.kind]
    if array.size and array.dtype.kind not in allowed:
        raise TypeError(f"expected values of type {target}, found {array.dtype}")
    with np.errstate(over="ignore"):
        fitted = array.astype(target)
    if target.kind in "iu" and array.size:
        limits = np.iinfo(target)
        wrong = (array < limits.min) | (array > limits.max)
        if np.any(wrong):
            raise OverflowError(f"{array[wrong].flat[0]} does not fit in {target}")
    return _spread(fitted, count, "values")


def numbers(value: Any, count: int) -> npt.NDArray[Any]:
    """Return numbers as float64, int64 or uint64, whichever holds them exactly."""
    array = _array(value)
    kinds = {"b": "float64", "f": "float64", "i": "int64", "u": "uint64"}
    if array.dtype.kind not in kinds:
        raise TypeError(f"expected numbers, found {value!r}")
    return _spread(array.astype(kinds[array.dtype.kind]), count, "numbers")


def statuses(value: Any, count: int) -> npt.NDArray[np.uint8]:
    """Return statuses as uint8."""
    array = np.asarray(value)
    if array.dtype.kind not in "biu":
        raise TypeError(f"expected statuses (FAILURE, SUCCESS or RUNNING), found {value!r}")
    wrong = (array < 0) | (array > 2)
    if np.any(wrong):
        raise ValueError(f"{array[wrong].flat[0]} is no status: FAILURE is 0, SUCCESS 1, RUNNING 2")
    return _spread(array.astype(np.uint8), count, "statuses")

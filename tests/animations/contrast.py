"""Contrast as WCAG defines it, of colors whose red, green and blue are 0 to 1."""

import numpy as np
from numpy.typing import ArrayLike, NDArray


def luminance(colors: ArrayLike) -> NDArray[np.float64]:
    """How light colors look, 0 to 1; the last axis is red, green, blue."""
    parts = np.asarray(colors, float)
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return linear @ np.array([0.2126, 0.7152, 0.0722])


def contrast(one: ArrayLike, other: ArrayLike) -> NDArray[np.float64]:
    """The contrast of two luminances, 1 to 21."""
    one, other = np.asarray(one), np.asarray(other)
    return (np.maximum(one, other) + 0.05) / (np.minimum(one, other) + 0.05)

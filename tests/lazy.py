"""Modules that take seconds to import, loaded by the tests that use them, not by all workers."""

import importlib
from types import ModuleType


class Lazy:
    """Has every installed module as an attribute, imported when it is asked for."""

    def __getattr__(self, name: str) -> ModuleType:
        if name.startswith("__"):  # what those who collect tests look for
            raise AttributeError(name)
        return importlib.import_module(name)


lazy = Lazy()

"""The examples in the docstrings of the engine are true."""

import doctest
import importlib
import pkgutil

import pytest

import clew.core

MODULES = ["clew", *(f"clew.core.{module.name}" for module in pkgutil.iter_modules(clew.core.__path__))]


class Finder(doctest.DocTestFinder):
    """Looks behind the compiler: a compiled rule has its docstring in `py_func`."""

    def _from_module(self, module, thing):
        return super()._from_module(module, getattr(thing, "py_func", thing))

    def _find(self, tests, obj, name, module, source_lines, globs, seen):
        super()._find(tests, obj, name, module, source_lines, globs, seen)
        for key, thing in vars(obj).items() if obj is module else ():
            if hasattr(thing, "py_func") and thing.py_func.__module__ == module.__name__:
                super()._find(tests, thing.py_func, f"{name}.{key}", module, source_lines, globs, seen)


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_run(name):
    module = importlib.import_module(name)
    runner = doctest.DocTestRunner()
    for test in Finder().find(module):
        runner.run(test)
    assert runner.failures == 0


def test_examples_are_found_in_compiled_rules_too():
    module = importlib.import_module("clew.core.cards")
    assert any(test.examples for test in Finder().find(module))

"""The cache of compiled kernels, which is never stale.

Numba's own cache looks at one source file only and would serve old code after a change in a function that another
file calls. Here an entry is stamped by all sources that its module imports, directly or not, within its own package
and the engine, by the versions of the compiler, and by the switches it ran with. What no rule imports, such as a
game's words, is not part of it. Where no folder can be written the code lives in a private temporary folder for as
long as the process does.
"""

from __future__ import annotations

import ast
import atexit
import contextlib
import functools
import hashlib
import importlib.util
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba import config
from numba.core.caching import CompileResultCacheImpl, FunctionCache
from platformdirs import user_cache_path

from clew.core.parsing import parse

# `Any` in signatures here: functions, types and compile results of Numba, which it gives no public types.

UNUSED_DAYS = 30
ENGINE = "clew"
MACHINERY = ("clew.core.kernels", "clew.core.cache", "clew.core.derive")  # decide what is compiled, and how

NO_INLINE: dict[str, Any] = {}
"""Kernels that are compiled on their own and called by name, by module and name (see `kernels.no_inline`)."""


def stamp(*modules: str) -> str:
    """A hash of everything that compiled code of these modules depends on."""
    return _stamp(config.BOUNDSCHECK, config.OPT, *sorted(sources(*modules).items()))


@functools.cache
def _stamp(*parts: Any) -> str:
    digest = hashlib.sha256()
    bounds_check, optimisation, *found = parts
    versions = (sys.version, numba.__version__, np.__version__, bounds_check, optimisation)
    digest.update(repr(versions).encode())
    for name, file in found:
        digest.update(name.encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()[:20]


def forget() -> None:
    """Read sources anew: files of a game in the making were changed."""
    _stamp.cache_clear()
    _imports.cache_clear()


def sources(*modules: str) -> dict[str, Path]:
    """The files of these modules and of all that they import within their own packages and the engine."""
    packages = {ENGINE, *(name.partition(".")[0] for name in modules)}
    found: dict[str, Path] = {}
    wanted = [*MACHINERY, *modules]
    while wanted:
        name = wanted.pop()
        file = _file(name)
        if name in found or file is None:
            continue
        found[name] = Path(file)
        wanted += [other for other in _imports(name, file) if other.partition(".")[0] in packages]
    return found


def _file(name: str) -> str | None:
    """The file of a module, which may still be about to be imported; None if there is none."""
    if name in sys.modules:
        file = getattr(sys.modules[name], "__file__", None)
    else:
        try:
            file = getattr(importlib.util.find_spec(name), "origin", None)
        except (ImportError, ValueError):
            file = None
    return file if file is not None and os.path.exists(file) else None


@functools.cache
def _imports(name: str, file: str) -> tuple[str, ...]:
    """The modules that a module imports when it is loaded; of a package, those that define what is taken from it."""
    found = []
    for node in parse(Path(file).read_bytes()).body:
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            home = _home(sys.modules.get(name), node)
            found += [_defined_in(home, alias.name) for alias in node.names]
    return tuple(found)


def _home(module: Any, node: ast.ImportFrom) -> str:
    """The full name of the module that an import statement takes from."""
    if not node.level:
        return str(node.module)
    package = module.__package__.split(".")
    return ".".join([*package[: len(package) - node.level + 1], *filter(None, [node.module])])


def _defined_in(home: str, name: str) -> str:
    """The module in which a name of `home` is defined: a submodule, or where a package has the name from."""
    package = sys.modules.get(home)
    if package is None or not hasattr(package, "__path__"):
        return home
    if _file(f"{home}.{name}") is not None:
        return f"{home}.{name}"
    if getattr(package, "__file__", None):
        for node in parse(Path(str(package.__file__)).read_bytes()).body:
            if isinstance(node, ast.ImportFrom) and any((alias.asname or alias.name) == name for alias in node.names):
                return _home(package, node)
    return home


@functools.cache
def cache_folder() -> Path:
    """Where compiled kernels live: CLEW_CACHE, or the user's cache folder, or else a temporary one."""
    asked = os.environ.get("CLEW_CACHE")
    folder = Path(asked) if asked else user_cache_path("clew")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError:
        # An unguessable name: the cache holds code, and nobody else may put theirs there.
        private = Path(tempfile.mkdtemp(prefix="clew-"))
        atexit.register(shutil.rmtree, private, ignore_errors=True)
        return private


def kernel_folder(stamp: str) -> Path:
    """The place in the cache for code with this stamp."""
    folder = cache_folder() / stamp
    if not folder.exists():
        folder.mkdir(exist_ok=True)
        _drop_unused()
    return folder


def _drop_unused() -> None:
    limit = time.time() - UNUSED_DAYS * 86400
    for old in cache_folder().iterdir():
        with contextlib.suppress(OSError):
            if old.is_dir() and len(old.name) == 20 and old.stat().st_mtime < limit:
                shutil.rmtree(old, ignore_errors=True)


class _Locator:
    """Tells Numba where a function's code is kept, and with which stamp."""

    def __init__(self, function: Any) -> None:
        self._py_file = function.__code__.co_filename
        self._line = f"{function.__code__.co_firstlineno}{getattr(function, 'text', '')}"
        self._stamp = stamp(*getattr(function, "modules", (function.__module__,)))

    @classmethod
    def from_function(cls, function: Any, _file: str) -> _Locator:
        return cls(function)

    def get_cache_path(self) -> str:
        return str(kernel_folder(self._stamp))

    def ensure_cache_path(self) -> None:
        kernel_folder(self._stamp)

    def get_source_stamp(self) -> str:
        return self._stamp

    def get_disambiguator(self) -> str:
        return self._line


class _CacheImpl(CompileResultCacheImpl):  # type: ignore[misc]
    _locator_classes = (_Locator,)

    def reduce(self, made: Any) -> Any:
        return _called_by_name(made), super().reduce(made)

    def rebuild(self, target_context: Any, payload: Any) -> Any:
        """Compiled code from the cache, once all that it calls by name is there; an error has it compiled again."""
        called, rest = payload
        for name, signature, symbol in called:
            NO_INLINE[name].compile(signature)
            if NO_INLINE[name].overloads[signature].fndesc.llvm_func_name != symbol:
                raise LookupError(f"{name} was compiled anew")
        return super().rebuild(target_context, rest)


def _called_by_name(made: Any) -> list[tuple[str, Any, str]]:
    """The kernels that compiled code calls by their names: which, with which types, and these names."""
    declared = {function.name for function in made.library._final_module.functions if function.is_declaration}
    return [
        (name, signature, other.fndesc.llvm_func_name)
        for name, dispatcher in NO_INLINE.items()
        for signature, other in dispatcher.overloads.items()
        if other.fndesc.llvm_func_name in declared
    ]


class KernelCache(FunctionCache):  # type: ignore[misc]
    """Numba's cache of one function, with our stamps."""

    _impl_class = _CacheImpl

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # a damaged entry of any kind: forget it, compile again
            with contextlib.suppress(OSError):
                self.flush()
            return None


class Marker:
    """A file in the cache which says that a set of kernels is there, whole."""

    def __init__(self, title: str, functions: list[Any]) -> None:
        self._places = {function._cache.cache_path for function in functions}
        names = sorted((function.__qualname__, function._cache.cache_path) for function in functions)
        digest = hashlib.sha256(repr(names).encode()).hexdigest()[:12]
        self._file = cache_folder() / f"{title}-{digest}.ready"

    def found(self) -> bool:
        """Whether the kernels are there; if so they count as used today."""
        if not self._file.exists() or not all(map(os.path.isdir, self._places)):
            return False
        with contextlib.suppress(OSError):
            for place in self._places:
                os.utime(place)
        return True

    def set(self) -> None:
        """Say so."""
        self._file.touch()


@contextlib.contextmanager
def alone(title: str) -> Iterator[None]:
    """One process at a time compiles what has this title."""
    with _lock(title, "LOCK_EX"):
        yield


@contextlib.contextmanager
def urgent() -> Iterator[None]:
    """Tell all processes that somebody waits for what this one compiles."""
    with _lock("urgent", "LOCK_SH"):
        yield


def others_urgent() -> bool:
    """Whether somebody waits for what another process compiles."""
    try:
        with _lock("urgent", "LOCK_EX", "LOCK_NB"):
            return False
    except BlockingIOError:
        return True


@contextlib.contextmanager
def _lock(title: str, *kinds: str) -> Iterator[None]:
    with open(cache_folder() / f"{title}.lock", "w") as lock:
        with contextlib.suppress(ImportError):  # not POSIX: a race only wastes time
            import fcntl

            fcntl.flock(lock, sum(getattr(fcntl, kind) for kind in kinds))
        yield

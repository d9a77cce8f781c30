"""Rules become machine code: compiled by Numba once, kept in a cache that is never stale.

Numba's own cache looks at one source file only and would serve old code after a change in a function that another
file calls. Here an entry is stamped by all sources that it can depend on — as dependencies point one way, those are
the engine's folder, the function's own and the game's — the versions of the compiler, and the switches it ran with.
One process compiles at a time; where no folder can be written the code lives in a private temporary folder for as
long as the process does.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import hashlib
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba import config, njit, types
from numba.core.caching import CompileResultCacheImpl, FunctionCache
from platformdirs import user_cache_path

try:
    import fcntl
except ImportError:  # not POSIX: each kernel has one signature, so a race only wastes time
    fcntl = None  # type: ignore[assignment]

F = TypeVar("F", bound=Callable[..., Any])
Progress = Callable[[int, int, str], None]

ENGINE = Path(__file__).resolve().parent
UNUSED_DAYS = 30


def jitted() -> bool:
    """False when NUMBA_DISABLE_JIT is set and the rules run as plain Python."""
    return not config.DISABLE_JIT


def rule(function: F) -> F:
    """Make a plain function on state records a compiled one, without the interpreter lock and cached.

    >>> @rule
    ... def double(n):
    ...     return 2 * n
    >>> double(21)
    42
    """
    if not jitted():
        return function
    dispatcher = njit(nogil=True)(function)
    _call_by_width(dispatcher)
    if os.path.exists(function.__code__.co_filename):
        dispatcher._cache = _Cache(function)
    return cast(F, dispatcher)


_APART: dict[str, Any] = {}


def apart(function: F) -> F:
    """A rule that is compiled by itself: others call it by its name and do not take in its code.

    Numba has the code of all that a function calls optimised again with it, and again with each that calls that one.
    For large rules, such as a search, that multiplies the time to compile; for small ones it makes them fast.
    """
    if not jitted():
        return function
    dispatcher: Any = rule(function)
    compile_one = dispatcher.compile

    def compile(signature: Any) -> Any:
        entry = compile_one(signature)
        for made in dispatcher.overloads.values():
            if made.entry_point is entry:
                dispatcher.targetctx.remove_user_function(entry)
                dispatcher.targetctx.insert_user_function(entry, made.fndesc)  # nothing to be linked
        return entry

    dispatcher.compile = compile
    _APART[f"{function.__module__}:{function.__qualname__}"] = dispatcher
    return cast(F, dispatcher)


def _called_apart(made: Any) -> list[tuple[str, Any, str]]:
    """The rules that compiled code calls by their names: which, with which types, and these names."""
    declared = {function.name for function in made.library._final_module.functions if function.is_declaration}
    return [
        (name, signature, other.fndesc.llvm_func_name)
        for name, dispatcher in _APART.items()
        for signature, other in dispatcher.overloads.items()
        if other.fndesc.llvm_func_name in declared
    ]


def room(count: int, dtype: np.dtype[Any]) -> Callable[[], Any]:
    """A function that gives rules so many empty records to work with.

    One array of records costs the compiler far less than many arrays. Hand the array to another rule before you take
    records from it: Numba frees it with its last use, whoever still has a record.
    """
    if jitted():
        return cast(Callable[[], Any], njit(lambda: np.zeros(count, dtype)))
    return lambda: np.zeros(count, dtype).view(np.recarray)


def _call_by_width(dispatcher: Any) -> None:
    """Have the rules call this one with 64-bit integers, whatever they have.

    Numba would compile it anew for every constant that it is called with, and for every width of integer: several
    times the work for the same code, as LLVM puts it into its callers anyway.
    """
    template_for = dispatcher.get_call_template

    def widened(argument: Any) -> Any:
        kind = types.unliteral(argument)
        return types.int64 if isinstance(kind, types.Integer) and kind.signed else kind

    def get_call_template(args: Any, kws: Any) -> Any:
        return template_for(tuple(map(widened, args)), {name: widened(kind) for name, kind in kws.items()})

    dispatcher.get_call_template = get_call_template


def template(function: F) -> F:
    """Mark a function of a template module: `specialise` makes one for each game from it."""
    function.__clew_template__ = True  # type: ignore[attr-defined]
    return function


def specialise(module: ModuleType, name: str, folder: Path, functions: dict[str, Any]) -> dict[str, Any]:
    """The template functions of `module`, re-made so that they call the `functions` of the game in `folder`.

    Numba caches a function that finds its callees among its globals, but never one that gets them as arguments or
    from a closure. So each game gets copies of the same code with globals of their own. A template that a module
    imports from another must be among the `functions` already.
    """
    scope = {**vars(module), **functions}
    made = {}
    for key, function in vars(module).items():
        if not getattr(function, "__clew_template__", False):
            continue
        if function.__module__ != module.__name__:
            if scope[key] is function:
                raise TypeError(f"{module.__name__} imports the template {key}, which was not made for {name} yet")
        else:
            copy = FunctionType(function.__code__, scope, key, function.__defaults__)
            copy.__module__ = function.__module__
            copy.__qualname__ = f"{name}.{key}"
            copy.__doc__ = function.__doc__
            copy.__dict__["folder"] = folder
            made[key] = scope[key] = rule(copy)
    return made


@functools.cache
def stamp(*folders: Path) -> str:
    """A hash of everything that compiled code from these folders depends on, the engine included."""
    digest = hashlib.sha256()
    versions = (sys.version, numba.__version__, np.__version__, config.BOUNDSCHECK, config.OPT)
    digest.update(repr(versions).encode())
    for source in sorted(source for folder in {ENGINE, *folders} for source in folder.glob("*.py")):
        digest.update(source.name.encode() + b"\0" + source.read_bytes())
    return digest.hexdigest()[:20]


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


def kernel_folder(*folders: Path) -> Path:
    """The place in the cache for code from these folders as they are now."""
    folder = cache_folder() / stamp(*folders)
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
        self._line = function.__code__.co_firstlineno
        home = Path(self._py_file).resolve().parent
        self._folders = (home, getattr(function, "folder", home))

    @classmethod
    def from_function(cls, function: Any, _file: str) -> _Locator:
        return cls(function)

    def get_cache_path(self) -> str:
        return str(kernel_folder(*self._folders))

    def ensure_cache_path(self) -> None:
        kernel_folder(*self._folders)

    def get_source_stamp(self) -> str:
        return stamp(*self._folders)

    def get_disambiguator(self) -> str:
        return str(self._line)


class _CacheImpl(CompileResultCacheImpl):  # type: ignore[misc]
    _locator_classes = (_Locator,)

    def reduce(self, made: Any) -> Any:
        return _called_apart(made), super().reduce(made)

    def rebuild(self, target_context: Any, payload: Any) -> Any:
        """Compiled code from the cache, once all that it calls by name is there; an error has it compiled again."""
        called, rest = payload
        for name, signature, symbol in called:
            _APART[name].compile(signature)
            if _APART[name].overloads[signature].fndesc.llvm_func_name != symbol:
                raise LookupError(f"{name} was compiled anew")
        return super().rebuild(target_context, rest)


class _Cache(FunctionCache):  # type: ignore[misc]
    _impl_class = _CacheImpl

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # a damaged entry of any kind: forget it, compile again
            with contextlib.suppress(OSError):
                self.flush()
            return None


@contextlib.contextmanager
def _alone(folder: Path) -> Iterator[None]:
    with open(folder / "lock", "w") as lock:
        if fcntl is not None:
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def announce(done: int, total: int, name: str) -> None:
    """Say on standard error that the rules are being compiled, and how far that is."""
    if sys.stderr.isatty():
        end = "\n" if done == total else ""
        print(f"\r\033[KCompiling {name} ({done}/{total}; once)", end=end, file=sys.stderr, flush=True)
    elif done == 0:
        print(f"Compiling {name} (once) ...", file=sys.stderr, flush=True)


def compile_all(title: str, folder: Path, kernels: dict[str, tuple[Any, Any]], progress: Progress | None) -> None:
    """Compile kernels (name: function and its argument types) unless the cache holds them all."""
    home = kernel_folder(folder)
    places = {name: function._cache.cache_path for name, (function, _) in kernels.items()}
    marker = home / f"{title}-{hashlib.sha256(repr(places).encode()).hexdigest()[:12]}.ready"
    if marker.exists():
        with contextlib.suppress(OSError):
            os.utime(home)
        return
    progress = progress or announce
    with _alone(home):
        if marker.exists():
            return
        for done, (name, (function, types)) in enumerate(kernels.items()):
            progress(done, len(kernels), f"{title}: {name}")
            function.compile(types)
        progress(len(kernels), len(kernels), title)
        marker.touch()

"""Rules become machine code: plain functions that Numba compiles, and that run un-compiled until it has.

Compiling a game takes longer than a newcomer waits, and un-compiled rules give the same bytes. So a kernel begins as
plain Python and is switched over once its machine code is in the cache, which `clew.core.compiling` sees to. With
CLEW_COMPILE=ahead it is machine code from its first call, as Numba has it; with NUMBA_DISABLE_JIT=1 it never is.
"""

from __future__ import annotations

import functools
import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from traceback import extract_tb
from types import FunctionType, ModuleType
from typing import Any, TypeVar, cast

import numpy as np
from numba import config, types
from numba.core.registry import CPUDispatcher

from clew.core.cache import NO_INLINE, KernelCache
from clew.core.errors import BadOption, BadRules
from clew.core.rows import Rows, plainly

# `Any` in signatures here: kernels, their arguments and Numba's types, which have no types that a checker knows.

F = TypeVar("F", bound=Callable[..., Any])

PACKAGE = Path(__file__).resolve().parent.parent
WRONG_INDEX = "an index is wrong, or MOVES or LONGEST may be too small."


def jitted() -> bool:
    """False when NUMBA_DISABLE_JIT is set and the rules never run compiled."""
    return not config.DISABLE_JIT


class Kernel(CPUDispatcher):  # type: ignore[misc]
    """A rule that still runs as plain Python: `go_live` has it run as machine code."""

    def __call__(self, *arguments: Any) -> Any:
        try:
            return self.plain(*map(plainly, arguments))
        except IndexError as error:
            raise out_of_range(self, error) from error

    @functools.cached_property
    def plain(self) -> Callable[..., Any]:
        """The same function in plain Python, calling none that is compiled."""
        with _making_twins:
            return _twin(self)


class CheckedKernel(CPUDispatcher):  # type: ignore[misc]
    """A compiled rule of somebody's own game: it checks every index, and an error says what may be wrong."""

    def __call__(self, *arguments: Any) -> Any:
        try:
            return super().__call__(*arguments)
        except IndexError as error:
            raise out_of_range(self, error) from error


def out_of_range(kernel: Any, error: IndexError) -> BadRules:
    """What to say of an index that is out of range: the line of the game, where plain Python knows it."""
    for frame in reversed(extract_tb(error.__traceback__)):
        file = Path(frame.filename)
        if file.is_file() and not file.is_relative_to(PACKAGE) and "site-packages" not in file.parts:
            return BadRules(f"{file.name}:{frame.lineno}: {error} in `{frame.line}`: {WRONG_INDEX}")
    return BadRules(f"{kernel.__qualname__} goes past the end of an array ({error}): {WRONG_INDEX}")


def _asked() -> bool:
    """Whether CLEW_COMPILE asks for machine code from the first call on."""
    asked = os.environ.get("CLEW_COMPILE", "background")
    if asked not in ("ahead", "background"):
        raise BadOption(f"CLEW_COMPILE is background or ahead, not {asked[:80]!r}.")
    return asked == "ahead"


_ahead = _asked()
_interpreting: list[Any] = []  # kernels that are not live


def compile_ahead() -> None:
    """From now on every kernel of this process is compiled before it runs for the first time."""
    global _ahead
    if jitted() and not _ahead:
        _ahead = True
        go_live(_interpreting)
        _interpreting.clear()


def ahead() -> bool:
    """Whether kernels of this process are compiled before they run."""
    return _ahead


def go_live(kernels: list[Any]) -> None:
    """Have these kernels run as machine code from their next call on."""
    for kernel in kernels:
        kernel.__class__ = CheckedKernel if checked(kernel) else CPUDispatcher


def live(kernel: Any) -> bool:
    """Whether this kernel runs as machine code."""
    return not isinstance(kernel, Kernel)


def checked(kernel: Any) -> bool:
    """Whether this kernel checks every index, compiled or not."""
    return not jitted() or bool(kernel.targetoptions.get("boundscheck"))


def rule(function: F) -> F:
    """Make a plain function on state records a kernel: compiled, without the interpreter lock, and cached.

    >>> @rule
    ... def double(n):
    ...     return 2 * n
    >>> double(21)
    42
    """
    file = function.__code__.co_filename
    options: dict[str, Any] = {"nopython": True, "nogil": True, "no_cfunc_wrapper": True}
    if not getattr(function, "folder", Path(file)).is_relative_to(PACKAGE):
        options["boundscheck"] = True  # our own games are proven by the kit; a game in the making is not
    kernel = Kernel(py_func=function, targetoptions=options)
    _call_by_width(kernel)
    if os.path.exists(file) or hasattr(function, "text"):  # of a function that was generated: a hash of its source
        kernel._cache = KernelCache(function)
    _enlist(kernel)
    return cast(F, kernel)


def _enlist(kernel: Any) -> None:
    if not jitted():
        return
    if _ahead:
        go_live([kernel])
    else:
        _interpreting.append(kernel)


def no_inline(function: F) -> F:
    """A rule that is compiled on its own and never inlined.

    Numba has the code of all that a function calls optimised again with it, and again with each that calls that one.
    For large rules, such as a search, that multiplies the time to compile; for small ones it makes them fast.
    """
    kernel: Any = rule(function)
    compile_one = kernel.compile

    def compile(signature: Any) -> Any:
        entry = compile_one(signature)
        for made in kernel.overloads.values():
            if made.entry_point is entry:
                kernel.targetctx.remove_user_function(entry)
                kernel.targetctx.insert_user_function(entry, made.fndesc)  # nothing to be linked
        return entry

    kernel.compile = compile
    NO_INLINE[f"{function.__module__}:{function.__qualname__}"] = kernel
    return cast(F, kernel)


def scratch(count: int, dtype: np.dtype[Any], cleared: bool = True) -> Callable[[], Any]:
    """A function that gives rules so many records to work with, empty unless `cleared` is False.

    Large records that are not cleared cost only what is written to them. One array of records costs the compiler far
    less than many arrays. Hand the array to another rule before you take records from it: Numba frees it with its last
    use, whoever still has a record.
    """
    allocate: Any = np.zeros if cleared else np.empty
    kernel = Kernel(py_func=lambda: allocate(count, dtype), targetoptions={"nopython": True})
    kernel.plain = lambda: Rows(allocate(count, dtype))
    _enlist(kernel)
    return cast(Callable[[], Any], kernel)


def _call_by_width(kernel: Any) -> None:
    """Have the rules call this one with 64-bit integers, whatever they have.

    Numba would compile it anew for every constant that it is called with, and for every width of integer: several
    times the work for the same code, as LLVM puts it into its callers anyway.
    """
    template_for = kernel.get_call_template

    def widened(argument: Any) -> Any:
        kind = types.unliteral(argument)
        return types.int64 if isinstance(kind, types.Integer) and kind.signed else kind

    def get_call_template(args: Any, kws: Any) -> Any:
        return template_for(tuple(map(widened, args)), {name: widened(kind) for name, kind in kws.items()})

    kernel.get_call_template = get_call_template


# Plain twins

_scopes: dict[int, tuple[Any, dict[str, Any]]] = {}  # by the identity of the globals, which are kept with them


_making_twins = threading.RLock()  # a scope is not whole until all its twins are made


def interpreted(kernel: Any) -> Callable[..., Any]:
    """A kernel as plain Python, also where it runs compiled: whatever it calls is plain, and every index is checked."""
    with _making_twins:
        plain = _twin(kernel)
    return lambda *arguments: plain(*map(plainly, arguments))


def _twin(kernel: Any) -> Callable[..., Any]:
    """The plain Python function behind a kernel, made so that whatever it calls is plain Python, too."""
    if "plain" in vars(kernel):
        return cast(Callable[..., Any], kernel.plain)
    source = kernel.py_func
    twin = FunctionType(source.__code__, _plain_scope(source), source.__name__, source.__defaults__, source.__closure__)
    twin.__qualname__, twin.__module__ = source.__qualname__, source.__module__
    return twin


def _plain_scope(function: Any) -> dict[str, Any]:
    """The globals of a function with plain twins in place of kernels; all functions of a module share them."""
    given = function.__globals__
    if id(given) in _scopes:
        return _scopes[id(given)][1]
    scope = dict(given)
    module = sys.modules.get(function.__module__)
    if not getattr(getattr(module, "__spec__", None), "_initializing", False):  # else there is more to come
        _scopes[id(given)] = given, scope
    scope.update({name: _twin(thing) for name, thing in given.items() if isinstance(thing, CPUDispatcher)})
    return scope


# One source for all games


def template(function: F) -> F:
    """Mark a function of a template module: `specialise` makes one for each game from it."""
    function.__clew_template__ = True  # type: ignore[attr-defined]
    return function


def large(function: F) -> F:
    """Mark a template that is compiled on its own and never inlined (see `no_inline`)."""
    function.__clew_large__ = True  # type: ignore[attr-defined]
    return template(function)


def specialise(module: ModuleType, name: str, folder: Path, functions: dict[str, Any]) -> dict[str, Any]:
    """The template functions of `module`, re-made so that they call the `functions` of the game in `folder`.

    Numba caches a function that finds its callees among its globals, but never one that gets them as arguments or
    from a closure. So each game gets copies of the same code with globals of their own. A template that a module
    imports from another must be among the `functions` already.
    """
    scope = {**vars(module), **functions}
    homes = {thing.__module__ for thing in functions.values() if isinstance(thing, CPUDispatcher)}
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
            copy.__dict__.update(folder=folder, modules=tuple(sorted({*homes, module.__name__})))
            made[key] = scope[key] = no_inline(copy) if hasattr(function, "__clew_large__") else rule(copy)
    return made

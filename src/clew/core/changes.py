"""What has changed in plain data, as plain data: so that who has the old value can be sent less than the new one.

A change is `[value]`, the new value whole, or `{key: change, ...}`: in an object the values of these keys changed or
are new; in a list those of these numbers, and elements are added at its end in their order. An empty one is none.
"""

from __future__ import annotations

from typing import Any

# `Any` in signatures here: plain data of any shape.


def change(was: Any, now: Any) -> Any:
    """What has to be changed to make `now` of `was`; `applied` does it. Equal numbers are the same: 1, 1.0 and True.

    >>> change({"a": 1, "b": [1, 2, 3], "c": "x"}, {"a": 1, "b": [1, 2, 4, 5], "c": "y"})
    {'b': {'2': [4], '3': [5]}, 'c': ['y']}
    >>> change([1, 2], [1]), change([1, 2], [1, 2])
    ([[1]], {})
    """
    if was == now and type(was) is type(now):
        return {} if isinstance(now, dict | list) else [now]
    return _change(was, now)


def _change(was: Any, now: Any) -> Any:
    """The same, of two that differ."""
    if type(was) is dict and type(now) is dict and was.keys() <= now.keys():
        found = {}
        for key, value in now.items():
            if key not in was:
                found[key] = [value]
            elif was[key] != value:
                found[key] = _change(was[key], value)
        return found
    if type(was) is list and type(now) is list and 0 < len(was) <= len(now):
        found = {str(i): _change(old, new) for i, (old, new) in enumerate(zip(was, now)) if old != new}
        if 2 * (len(found) + len(now) - len(was)) <= len(now):
            found.update((str(i), [now[i]]) for i in range(len(was), len(now)))
            return found
    return [now]


def applied(value: Any, changed: Any) -> Any:
    """A value with a change made to it; the old one stays as it was.

    >>> applied({"a": 1, "b": [1, 2, 3]}, {"b": {"2": [4], "3": [5]}})
    {'a': 1, 'b': [1, 2, 4, 5]}
    """
    if isinstance(changed, list):
        return changed[0]
    if isinstance(value, dict):
        return {**value, **{key: applied(value.get(key), part) for key, part in changed.items()}}
    made = [*value]
    for key, part in changed.items():
        if int(key) < len(made):
            made[int(key)] = applied(made[int(key)], part)
        else:
            made.append(part[0])
    return made

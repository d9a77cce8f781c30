"""The conformance kit: what every game must keep, tried on any game, as `clew check` and as a pytest plugin."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from clew.check.checks import check_game
    from clew.check.report import CheckFailed, Report, render, ways_back

__all__ = ["CheckFailed", "Report", "check_game", "render", "ways_back"]


def __getattr__(name: str) -> Any:
    # Loaded when first asked for: pytest imports the plugin, and with it this package, in every run.
    if name not in __all__:
        raise AttributeError(f"module 'clew.check' has no attribute {name!r}")
    from clew.check import checks, report

    return getattr(checks if name == "check_game" else report, name)

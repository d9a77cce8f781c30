"""Shared by all tests."""

import os

from clew.core import kernels

# Machine code from the first call on, here and in all processes that tests start: what rules do while they are not
# compiled yet is tested where it is meant.
os.environ.setdefault("CLEW_COMPILE", "ahead")
if os.environ["CLEW_COMPILE"] == "ahead":
    kernels.compile_ahead()

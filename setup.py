"""What the build of the package does besides what pyproject.toml says: it has the page in it, built if need be."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist
from setuptools.errors import SetupError

ROOT = Path(__file__).resolve().parent
WEB = ROOT / "web"
PAGE = ROOT / "src" / "clew" / "web" / "index.html"
INSTALLED = WEB / "node_modules" / ".package-lock.json"
MADE_FROM = ("index.html", "package.json", "package-lock.json", "svelte.config.js", "vite.config.ts", "src", "public")


def have_page() -> None:
    """Build the page, by the same script as the Makefile, unless it is there and newer than what it is made from."""
    if PAGE.is_file() and ((ROOT / "PKG-INFO").is_file() or not _stale()):  # a source distribution comes with it
        return
    npm = shutil.which("npm")
    if npm is not None:
        if not INSTALLED.is_file() or INSTALLED.stat().st_mtime < (WEB / "package-lock.json").stat().st_mtime:
            _run(npm, "ci", "--silent")
        _run(npm, "run", "--silent", "build", "--", "--logLevel", "warn")
    elif not PAGE.is_file():
        raise SetupError(
            "The page is not built, and npm, which builds it, is not here: install Node.js 20 or newer, "
            "or take the source distribution, which has the page in it."
        )


def _stale() -> bool:
    made_from = [path for name in MADE_FROM for path in (WEB / name, *(WEB / name).rglob("*"))]
    return max(path.stat().st_mtime for path in made_from) > PAGE.stat().st_mtime


def _run(*command: str) -> None:
    if subprocess.run(command, cwd=WEB).returncode:
        raise SetupError(f"The page could not be built: 'npm {' '.join(command[1:])}' in web/ failed, see above.")


class BuildWithPage(build_py):
    """Packs the modules and the page; an editable install serves the page that `make` builds, if any."""

    def run(self) -> None:
        if not self.editable_mode:
            have_page()
            # What an earlier build left there would be packed, too.
            shutil.rmtree(Path(self.build_lib) / "clew", ignore_errors=True)
        super().run()


class SourcesWithPage(sdist):
    """Packs the sources and the page, so that whoever installs from them needs no Node.js."""

    def run(self) -> None:
        have_page()
        super().run()


setup(cmdclass={"build_py": BuildWithPage, "sdist": SourcesWithPage})

"""Shells of this process, for tests of what runs inside a notebook and in IPython's terminal."""

from __future__ import annotations

import sys
from contextlib import contextmanager

import pytest
from IPython.core.displaypub import CapturingDisplayPublisher
from IPython.core.interactiveshell import InteractiveShell
from traitlets import Any
from traitlets.config import Config


class KernelShell(InteractiveShell):
    """A shell that looks like a kernel's, and keeps what it displays."""

    kernel = Any()


@contextmanager
def made(kind, **more):
    """The one shell of this process; afterwards there is none, and what it took over is given back."""
    main, hook = sys.modules["__main__"], sys.excepthook
    config = Config()
    config.HistoryManager.enabled = False
    config.InteractiveShell.colors = "nocolor"
    try:
        yield kind.instance(config=config, **more)
    finally:
        kind.clear_instance()
        sys.modules["__main__"], sys.excepthook = main, hook


@pytest.fixture
def shell(monkeypatch, tmp_path):
    """The shell of a notebook. ``display_pub.outputs`` is what a frontend would get."""
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    with made(KernelShell, display_pub_class=CapturingDisplayPublisher) as shell:
        yield shell


@pytest.fixture
def terminal(monkeypatch, tmp_path):
    """The shell of a terminal."""
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    with made(InteractiveShell) as shell:
        yield shell

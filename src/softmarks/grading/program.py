"""A student's program as the checks of one exercise meet it: loaded once, in a host that can be replaced."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from softmarks.errors import GraderError
from softmarks.grading.student import Conversation, Names, Session
from softmarks.sandbox.client import Asks, HostDied


@dataclass(frozen=True)
class Code:
    """The text of a program: its cells in order, and the given modules that it may import by name."""

    exercise: str
    cells: tuple[str, ...]
    given: Mapping[str, str]  # module name -> source
    axes: tuple[str, ...] = ()
    memory_mb: int = 0  # what it may use; 0 where nothing limits it


class Program:
    """One exercise's code in a host. `check` gives the names to ask, in a host that is alive."""

    def __init__(self, code: Code, start: Callable[[], Asks], seed: int) -> None:
        self.code = code
        self.start = start
        self.seed = seed
        self.session: Session | None = None
        self.stillborn: HostDied | None = None
        self.shot = False  # whether a host of it was killed, and not by us

    def check(self) -> tuple[Session, Names]:
        """Begin a check. Raises HostDied when the program cannot even be loaded."""
        if self.stillborn:
            raise self.stillborn
        if self.session is None:
            self.session = self._load()
        self.session.begin()
        return self.session, Names(self.session, {"space": self.code.exercise}, "")

    @property
    def conversation(self) -> Conversation:
        """What the check that runs now, or ran last, asked and heard."""
        return self.session.conversation if self.session else Conversation()

    def output(self) -> str:
        """The end of what the program printed during the check."""
        return self.session.host.output() if self.session else ""

    def end_of_check(self, error: BaseException | None) -> None:
        """After a host's death the next check gets a fresh one."""
        if isinstance(error, HostDied):
            self.shot = self.shot or error.shot
            self.close()

    def close(self) -> None:
        """End the host."""
        if self.session:
            self.session.host.close()
            self.session = None

    def _load(self) -> Session:
        session = Session(self.start(), self.seed, self.code.axes)
        try:
            for name, source in self.code.given.items():
                if failed := session.load(name, [source], given=True):
                    fix = "Repair it, and run softmarks audit"
                    raise GraderError(f"{name}, which is given, cannot be loaded: {failed}", fix=fix)
            session.load_error = session.load(self.code.exercise, list(self.code.cells))
        except BaseException as error:
            if isinstance(error, HostDied):
                self.stillborn = error
            session.host.close()
            raise
        return session

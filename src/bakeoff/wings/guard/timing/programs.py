"""The commands to be timed: words, or a line for /bin/sh."""

import hashlib
import os
import shlex
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from bakeoff.dataclass import dataclass
from bakeoff.errors import ParameterError, WrongTypeError, plain
from bakeoff.processes.command_line import shell_syntax

SHELL = "/bin/sh"
_INTERPRETERS = (
    *("python", "pypy", "node", "deno", "ruby", "perl", "php", "rscript", "julia", "java"),
    *("bash", "sh", "lua"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TimedCommand:
    """``words`` are started as they are."""

    name: str
    words: tuple[str, ...]
    shell: bool

    @property
    def shown(self) -> str:
        """As one types it."""
        return self.words[-1] if self.shell else shlex.join(self.words)

    def described(self) -> dict[str, object]:
        """The entry of the file: the command, which program it starts, and which script that runs."""
        program = shutil.which(self.words[0])
        script = None if self.shell else self._script()
        return {
            "name": self.name,
            "command": self.shown,
            "shell": self.shell,
            "program": None if program is None else os.path.realpath(program),
            "program_sha256": None if program is None or self.shell else _sha256(Path(program)),
            "script_sha256": None if script is None else _sha256(script),
        }

    def _script(self) -> Path | None:
        """The script that an interpreter runs: its first argument that is a file. The command may write other files."""
        if not os.path.basename(self.words[0]).lower().startswith(_INTERPRETERS):
            return None
        return next((Path(word) for word in self.words[1:] if os.path.isfile(word)), None)


def _sha256(path: Path) -> str | None:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None


def command_words(command: object, shell: bool, parameter: str = "commands") -> tuple[str, ...]:
    """The words of a command; a string is split as a shell would, and refused if it needs one."""
    if isinstance(command, str) and shell:
        if not command.strip():
            raise ParameterError("must name a program; got nothing", parameter=parameter)
        words = [SHELL, "-c", command]
    elif isinstance(command, str):
        if syntax := shell_syntax(command):
            raise ParameterError(
                f": {syntax!r} in {command!r} means something to a shell only, and the program would get it as text; "
                "say shell=True, or quote it to pass it on",
                parameter=parameter,
            )
        try:
            words = shlex.split(command)
        except ValueError as error:
            raise ParameterError(f": {command!r} cannot be split into words: {error}", parameter=parameter) from None
    elif isinstance(command, Sequence) and all(isinstance(word, str) for word in command):
        if shell:
            raise ParameterError("must be strings with shell=True; got a list of words", parameter=parameter)
        words = [*command]
    else:
        raise WrongTypeError(f"must be strings or lists of words; got {command!r}", parameter=parameter)
    if not words or not words[0]:
        raise ParameterError(f"must name a program; got {command!r}", parameter=parameter)
    if any("\0" in word for word in words):
        raise ParameterError("cannot hold a zero byte", parameter=parameter)
    return tuple(words)


def timed_commands(commands: object, shell: bool) -> tuple[TimedCommand, ...]:
    """Check at least two commands, each with a name of its own: the key of a mapping, else the command itself."""
    if isinstance(commands, Mapping):
        pairs = [(str(name), command) for name, command in commands.items()]
    elif isinstance(commands, Sequence) and not isinstance(commands, str):
        pairs = [("", command) for command in commands]
    else:
        rule = f"must be a list of commands, or a mapping of names to commands; got {commands!r}"
        raise WrongTypeError(rule, parameter="commands")
    made = []
    for name, command in pairs:
        words = command_words(command, shell)
        made.append(TimedCommand(name=name or (words[-1] if shell else shlex.join(words)), words=words, shell=shell))
    names = [command.name for command in made]
    if len(made) < 2:
        rule = f"must be at least two, which are timed side by side; got {len(made)}"
        raise ParameterError(rule, parameter="commands")
    twice = [name for name in dict.fromkeys(names) if names.count(name) > 1]
    if twice:
        raise ParameterError(
            f"must have different names; {plain(twice[0])!r} is there {names.count(twice[0])} times. To see how far "
            "two equal commands seem to differ, give them names",
            parameter="commands",
        )
    return tuple(made)

"""Placeholders in the template of a command: filling them in, and where a value would be read as code."""

import os
import re
from collections.abc import Mapping, Sequence

from bakeoff.checks import did_you_mean
from bakeoff.errors import ParameterError

PLACES = ("instance", "problem", "algorithm", "seed", "budget", "run", "output")  # placeholders that a template may use

_PLACE = re.compile(r"\{\{|\}\}|\{([A-Za-z_]+)\}")
_PARAMETER = re.compile(r"\{\{|\}\}|\{([A-Za-z_][A-Za-z0-9_]*)\}")
_NAMES = re.compile(r"\{(instance|problem|algorithm)\}")  # text that comes from others; the other places are numbers
_WORD = re.compile(r"[^\s;&|()`<>]+")

# programs that read an argument as code: all of their arguments, or the one after these options
_ALL_CODE = frozenset({"eval", "trap", "ssh", "rsh", "mosh", "parallel", "watch"})
_SHELL = re.compile(r"-\w*c|--command")
_CODE_AFTER = dict.fromkeys(("sh", "bash", "dash", "ash", "ksh", "zsh", "fish", "csh", "tcsh", "su"), _SHELL) | {
    "python": re.compile(r"-\w*c"),
    "perl": re.compile(r"-\w*[eE]"),
    "ruby": re.compile(r"-\w*e"),
    "node": re.compile(r"-[ep]|--eval|--print"),
    "julia": re.compile(r"-[eE]|--eval"),
    "R": re.compile(r"-e"),
    "Rscript": re.compile(r"-e"),
    "php": re.compile(r"-r"),
}
_CODE_AFTER_ANY = re.compile("|".join({option.pattern for option in _CODE_AFTER.values()}))
_QUEUES = frozenset({"parallel", "at", "batch", "ssh", "rsh"})
"""They run what they read from a pipe, in a shell of their own."""
_BEFORE = frozenset({"env", "exec", "nice", "nohup", "sudo"})


def fill_placeholders(text: str, values: Mapping[str, str]) -> str:
    """``text`` with its placeholders substituted once; substituted values are not scanned again."""

    def one(match: re.Match[str]) -> str:
        name = match.group(1)
        return values[name] if name else match.group()[0]

    return _PLACE.sub(one, text)


def fill_parameters(text: str, values: Mapping[str, str]) -> str:
    """``text`` with the parameters of a grid filled in; other placeholders and doubled braces stay."""
    return _PARAMETER.sub(lambda match: values.get(match.group(1), match.group()), text)


def asked_parameters(text: str) -> set[str]:
    """The placeholders that are none of a run's own."""
    return {name for name in _PARAMETER.findall(text) if name and name not in PLACES}


def shell_words(template: str, values: Mapping[str, str]) -> list[str]:
    """The arguments that have a shell run the template, values as variables: the shell never parses them."""
    used = sorted(asked_places(template))
    script = fill_placeholders(template, {name: f'"${{bakeoff_{name}}}"' for name in used})
    if used:
        assignments = "".join(f"bakeoff_{name}=${{{i}}}; " for i, name in enumerate(used, start=1))
        script = f"{assignments}shift {len(used)}; {script}"
    return ["/bin/sh", "-c", script, "sh", *(values[name] for name in used)]


def asked_places(text: str) -> set[str]:
    return {name for name in _PLACE.findall(text) if name}


def check_places(text: str) -> None:
    """Refuse unknown placeholders; braces around anything else are passed on to the program."""
    for name in sorted(asked_places(text)):
        if name not in PLACES:
            raise ParameterError(
                f"a command can ask for {', '.join('{' + place + '}' for place in PLACES)}; got {{{name}}} in "
                f"{text!r}{did_you_mean(name, PLACES)}; write {{{{{name}}}}} for the braces themselves"
            )


def refuse_code(template: str, words: Sequence[str], shell: bool) -> None:
    """Refuse places where a value, which may be any file name, would be read as code."""
    if shell and (place := _exposed_place(template)):
        raise ParameterError(
            f"with shell=True what is filled in comes with quotes of its own: {place} must not stand inside "
            f"quotes, backticks, ${{…}}, $((…)), a comment or a here-document, nor after a backslash or $; got "
            f"{template!r}"
        )
    if shell and (piped := _piped_into_code(template)):
        raise ParameterError(
            f"what {piped[0]} prints would be run by {piped[1]}, which reads code from the pipe, and a file may be "
            f"called '; rm -r x': put the command into a script; got {template!r}"
        )
    commands = [_WORD.findall(part) for part in re.split(r"[;&|\n()`]", template)] if shell else [words]
    for command in commands:
        for i, word in enumerate(command):
            if (match := _NAMES.search(word)) and (reader := _reader_of_code(command[:i])):
                raise ParameterError(
                    f"{match.group()} would be read as code by {reader}, and a file may be called '$(rm -r x)': pass "
                    f"it as an argument, sh -c 'cat \"$1\"' sh {match.group()} for example, or put the command into a "
                    f"script; got {template!r}"
                )


def option_places(words: Sequence[str]) -> set[str]:
    """The names among the places that begin a word, where a name that begins with ``-`` would be an option."""
    before = words[1 : words.index("--") if "--" in words else None]
    return {name for name in ("problem", "algorithm") for word in before if word.startswith(f"{{{name}}}")}


def _reader_of_code(before: Sequence[str]) -> str:
    """The program that reads the word after these as code; empty if there is none."""
    for word in before:
        program = os.path.basename(word.strip("'\""))
        options = _CODE_AFTER.get("python" if program.startswith("python") else program)
        if program in _ALL_CODE or (options is not None and options.fullmatch(before[-1])):
            return program
    return ""


def _piped_into_code(template: str) -> tuple[str, str] | None:
    """A name, and the program behind a pipe after it that runs what it reads."""
    for pipe in re.finditer(r"(?<!\|)\|&?(?!\|)([^;&|\n()`<>]*)", template):
        name, words = _NAMES.search(template, 0, pipe.start()), pipe[1].split()
        at = next((i for i, word in enumerate(words) if _interpreter(word)), None)
        if name and at is not None and (_reads_code(words[at + 1 :]) or _hands_code(words, at)):
            return name.group(), _interpreter(words[at])
        program = next((word for word in words if word not in _BEFORE and not re.match(r"-|\w+=", word)), "")
        if name and os.path.basename(program) in _QUEUES:
            return name.group(), program
    return None


def _reads_code(options: Sequence[str]) -> bool:
    """Whether an interpreter with these options reads its input as code: no script is named."""
    return all(word.startswith("-") for word in options)


def _hands_code(words: Sequence[str], at: int) -> bool:
    """``xargs sh -c``, or ``xargs -I% sh -c 'solve %'``; of ``xargs sh -c './solve "$1"' sh`` the code is fixed."""
    if "xargs" not in map(os.path.basename, words[:at]):
        return False
    code = next((i for i in range(at + 1, len(words)) if _CODE_AFTER_ANY.fullmatch(words[i])), None)
    fixed = code is not None and words[code + 1 : code + 2] and words[code + 1][0] in "'\""
    replaced = any(re.match(r"-\w*[Ii]|--replace", word) for word in words[:at])
    return code is not None and (replaced or not fixed)


def _interpreter(word: str) -> str:
    """The program, where it runs what it reads from standard input."""
    program = os.path.basename(word.strip("'\""))
    return program if program.startswith("python") or program in _CODE_AFTER else ""


def _exposed_place(template: str) -> str:
    """The first placeholder that the shell would not read as an ordinary word; empty if there is none."""
    inside: list[str] = []  # the closing marks of what is open; ")" holds commands again
    i, here_document = 0, "<<" in template
    while i < len(template):
        match = _PLACE.match(template, i)
        if match is not None and match.group(1):
            if here_document or (inside and inside[-1] != ")"):
                return match.group()
            i = match.end()
            continue
        letter = template[i]
        i = i + 1 if match is None else match.end()  # {{ and }} are single braces
        within = inside[-1] if inside else ""
        if letter == within:
            inside.pop()
        elif within in ("'", "\n"):
            continue
        elif letter in "\\$" and (after := _PLACE.match(template, i)) is not None and after.group(1):
            return after.group()
        elif letter == "\\":
            i += 1
        elif letter == "$" and template.startswith("((", i):
            inside += [")", "))"]
            i += 2
        elif letter == "$" and template[i : i + 1] in ("(", "{"):
            inside.append(")" if template[i] == "(" else "}")
            i += 2 if template.startswith("{{", i) else 1
        elif within == "))" and letter == "(":  # in arithmetic
            inside.append("))")
        elif within == "))" and letter == ")":
            inside.pop()
        elif letter == '"' or letter == "`":
            inside.append(letter)
        elif within in ("", ")"):
            if letter in ("'", "("):
                inside.append(")" if letter == "(" else "'")
            elif letter == "#" and template[max(i - 2, 0)] in "# \t\n;&|()":
                inside.append("\n")
    return ""

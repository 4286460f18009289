"""Several files of the same columns are one table; folders and archives are the files that they hold."""

import io
import json
import stat
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner

import bakeoff as bo
from bakeoff.cli import main
from bakeoff.errors import ReadingError
from bakeoff.reading import many_files
from bakeoff.scores import Scores

SCORES = {"new": [3.0, 5.0, 7.0], "old": [2.0, 4.0, 9.0], "base": [1.0, 1.0, 2.0]}
WANTED = [[3.0, 2.0, 1.0], [5.0, 4.0, 1.0], [7.0, 9.0, 2.0]]


def written(folder: Path, files: Mapping[str, str]) -> list[Path]:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return [folder / name for name in files]


def rows(scores: list[float], header: str = "dataset,acc", before: str = "") -> str:
    return f"{header}\n" + "".join(f"{before}d{i},{x}\n" for i, x in enumerate(scores, 1))


def by_name(found: Scores) -> list[list[float]]:
    at = [found.algorithms.index(name) for name in SCORES]
    return found.values[:, at].tolist()


def test_a_file_for_each_algorithm(tmp_path: Path) -> None:
    paths = written(tmp_path, {f"{name}.csv": rows(scores) for name, scores in SCORES.items()})
    for source in (paths, tmp_path, {name: tmp_path / f"{name}.csv" for name in SCORES}):
        found = bo.read_scores(source, "higher")
        assert (by_name(found), found.problems) == (WANTED, ("d1", "d2", "d3"))


def test_the_algorithm_is_a_column_of_every_file(tmp_path: Path) -> None:
    """All files have one name and lie in a folder each; more columns in some of them are not needed."""
    header = "model,dataset,MASE,RMSE"
    for name, scores in SCORES.items():
        text = f"{header}{',note' * (name == 'old')}\n"
        text += "".join(f"{name},d{i},{x},9{',-' * (name == 'old')}\n" for i, x in enumerate(scores, 1))
        written(tmp_path, {f"{name}_v2/all_results.csv": text})
    found = bo.read_scores(tmp_path, "lower", score="MASE")
    assert by_name(found) == WANTED
    with pytest.raises(ReadingError, match=r"has 'note'. All have MASE, RMSE: name the one .*: score='MASE'"):
        bo.read_scores(tmp_path, "lower")


def test_the_algorithm_is_the_folder_and_files_are_runs(tmp_path: Path) -> None:
    for name, scores in SCORES.items():
        for seed in range(2):
            written(tmp_path, {f"{name}/seed{seed}.csv": rows([x + seed for x in scores])})
    found = bo.read_scores(tmp_path, "higher")
    assert by_name(found) == [[x + 0.5 for x in row] for row in WANTED]
    assert found.n_runs.tolist() == [[2] * 3] * 3


def test_a_folder_for_each_algorithm_and_in_it_one_for_each_run(tmp_path: Path) -> None:
    """They were read as an algorithm for each run."""
    for name, scores in SCORES.items():
        for seed in range(2):
            written(tmp_path, {f"{name}/seed_{seed}/results.csv": rows([x + seed for x in scores])})
    found = bo.read_scores(tmp_path, "higher")
    assert by_name(found) == [[x + 0.5 for x in row] for row in WANTED]
    assert found.n_runs.tolist() == [[2] * 3] * 3


@pytest.mark.parametrize("runs", [1, 2])
def test_a_file_for_each_problem(tmp_path: Path, runs: int) -> None:
    for i, row in enumerate(WANTED, 1):
        cells = zip(SCORES, row, strict=True)
        body = "".join(f"{n},{s},{x + s}\n" if runs > 1 else f"{n},{x}\n" for n, x in cells for s in range(runs))
        written(tmp_path, {f"d{i}.csv": ("model,seed,acc\n" if runs > 1 else "model,acc\n") + body})
    for options in ({}, {"problem": "file"}):
        found = bo.read_scores(tmp_path, "higher", **options)  # type: ignore[arg-type]
        assert by_name(found) == [[x + (runs - 1) / 2 for x in row] for row in WANTED]
        assert found.problems == ("d1", "d2", "d3")
    for seed in range(3):
        written(tmp_path / "seeds", {f"seed{seed}.csv": f"model,acc\nnew,{seed}\nold,{seed + 1}\n"})
    with pytest.raises(ReadingError, match="the long layout needs the column problem"):
        bo.read_scores(tmp_path / "seeds", "higher")


def test_files_may_be_runs_of_a_long_or_of_a_wide_table(tmp_path: Path) -> None:
    long = "dataset,method,acc\n" + "".join(
        f"d{i},{n},{x}\n" for n, own in SCORES.items() for i, x in enumerate(own, 1)
    )
    paths = written(tmp_path, {"a.csv": long, "b.csv": long})
    found = bo.read_scores(paths, "higher")
    assert (by_name(found), found.n_runs.tolist()) == (WANTED, [[2] * 3] * 3)
    wide = "dataset,new,old,base\n" + "".join(f"d{i},{','.join(map(str, row))}\n" for i, row in enumerate(WANTED, 1))
    paths = written(tmp_path, {"c.csv": wide, "d.csv": wide})
    with pytest.raises(ReadingError, match=r"score='new'.*run='file'"):
        bo.read_scores(paths, "higher")
    found = bo.read_scores(paths, "higher", run="file")
    assert (by_name(found), found.n_runs.tolist()) == (WANTED, [[2] * 3] * 3)


def test_parts_and_columns_of_one_wide_table(tmp_path: Path) -> None:
    paths = written(tmp_path, {"a.csv": "dataset,new,old\nd1,3,2\n", "b.csv": "dataset,new,old\nd2,5,4\n"})
    assert bo.read_scores(paths, "higher").values.tolist() == [[3, 2], [5, 4]]
    paths = written(tmp_path, {"c.csv": "dataset,new\nd1,3\nd2,5\n", "d.csv": "dataset,old\nd1,2\nd2,4\n"})
    assert bo.read_scores(paths, "higher").values.tolist() == [[3, 2], [5, 4]]
    with pytest.raises(ReadingError, match="same columns"):  # two measures are no two algorithms
        bo.read_scores(written(tmp_path, {"e.csv": "dataset,acc\nd1,3\n", "f.csv": "dataset,f1\nd1,2\n"}), "higher")


def test_a_constant_column_of_the_model_is_not_the_algorithm(tmp_path: Path) -> None:
    paths = written(tmp_path, {f"{n}.csv": rows(x, "model,dataset,acc", "ours,") for n, x in SCORES.items()})
    assert by_name(bo.read_scores(paths, "higher")) == WANTED


def test_european_files(tmp_path: Path) -> None:
    text = {f"{n}.csv": rows(x, "dataset;acc").replace(",", ";").replace(".", ",") for n, x in SCORES.items()}
    assert by_name(bo.read_scores(written(tmp_path, text), "higher")) == WANTED


def test_errors_name_the_file(tmp_path: Path) -> None:
    paths = written(tmp_path, {"a.csv": "dataset,acc\nd1,1\n", "b.csv": "dataset,acc\nd1,oops\n"})
    with pytest.raises(ReadingError, match=r"b\.csv, line 2, column 2 \('acc'\): 'oops' is not a number"):
        bo.read_scores(paths, "higher")
    with pytest.raises(ReadingError, match="there is no such file"):
        bo.read_scores([paths[0], tmp_path / "c.csv"], "higher")
    with pytest.raises(ReadingError, match="named twice"):
        bo.read_scores([paths[0], paths[0]], "higher")


def test_on_the_command_line(tmp_path: Path) -> None:
    paths = written(tmp_path / "all", {f"{name}.csv": rows(scores) for name, scores in SCORES.items()})
    archive = packed(tmp_path / "all.tar.gz", {path.name: path.read_bytes() for path in paths})
    labels = [word for path in paths for word in ("--label", f"{path.stem.upper()}={path}")]
    for args in (map(str, paths), [str(tmp_path / "all")], [str(archive)], labels):
        done = CliRunner().invoke(main, ["compare", *args, "--better", "higher", "--json"])
        assert done.exit_code == 0, done.stderr
        scores = json.loads(done.stdout)["scores"]
        assert sorted(name.lower() for name in scores["algorithms"]) == sorted(SCORES)
    for command, said in (("compare", "--better is required"), ("ratings", "need --better")):
        assert said in CliRunner().invoke(main, [command, *map(str, paths)]).stderr


def test_every_command_reads_all_files(tmp_path: Path) -> None:
    """One that took the first alone would have a problem less, or an algorithm."""
    text = "problem,algorithm,accuracy,seconds\n"
    for i in range(8):
        rows_of = "".join(f"p{i},{name},{0.5 + i / 100},{i + j}\n" for j, name in enumerate(("a", "b")))
        written(tmp_path, {f"part{i}.csv": text + rows_of})
    paths = [str(tmp_path / f"part{i}.csv") for i in range(8)]
    for args in (
        ["leaderboard", "--better", "higher", "--score", "accuracy"],
        ["bayes", "--better", "higher", "--score", "accuracy"],
        ["profile", "--better", "lower", "--score", "seconds"],
        ["runtimes", "--score", "seconds"],
        ["ratings", "--better", "higher", "--score", "accuracy"],
        ["tradeoff", "--metric", "accuracy:higher:margin=0.02", "--metric", "seconds:lower:margin=1"],
    ):
        done = CliRunner().invoke(main, [args[0], *paths, *args[1:], "--json"])
        assert done.exit_code == 0, done.stderr
        assert '"p7"' in done.stdout, args


# --- archives ---------------------------------------------------------------------------------------------------


def packed(path: Path, files: Mapping[str, bytes], **about: object) -> Path:
    if path.suffix == ".zip":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in files.items():
                archive.writestr(name, content)
        return path
    with tarfile.open(path, "w:gz" if path.name.endswith("gz") else "w") as tar:
        for name, content in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            for key, value in about.items():
                setattr(info, key, value)
            tar.addfile(info, io.BytesIO(content))
    return path


@pytest.mark.parametrize("name", ["x.zip", "x.tar", "x.tar.gz", "x.tgz"])
def test_an_archive_is_the_folder_that_it_holds(tmp_path: Path, name: str) -> None:
    files = {f"deep/{n}.csv": rows(x).encode() for n, x in SCORES.items()} | {"deep/README.md": b"notes"}
    assert by_name(bo.read_scores(packed(tmp_path / name, files), "higher")) == WANTED


def test_messages_name_the_archive_and_its_member(tmp_path: Path) -> None:
    wrong = {"all/a.csv": rows([1, 2]).encode(), "all/b.csv": b"dataset,acc\nd1,oops\n"}
    archive = packed(tmp_path / "x.zip", wrong)
    with pytest.raises(ReadingError, match=r"'oops' is not a number") as error:
        bo.read_scores(archive, "higher")
    assert f"{archive}/all/b.csv, line 2" in str(error.value)
    archive = packed(tmp_path / "y.zip", {"all/a.json": b'{"benchmarks": 1, "context": {}}'})
    with pytest.raises(ReadingError) as error:
        bo.read_results(archive, "google-benchmark")
    assert f"{archive}/all/a.json" in str(error.value)


def test_an_archive_of_another_program(tmp_path: Path) -> None:
    files = {f"best/{n}_accuracy.csv": rows(x, "Resamples:,0").encode() for n, x in SCORES.items()}
    assert by_name(bo.read_results(packed(tmp_path / "best.zip", files))) == WANTED


@pytest.mark.parametrize("name", ["/etc/evil.csv", "../evil.csv", "a/../../evil.csv", "..\\evil.csv", "C:/evil.csv"])
@pytest.mark.parametrize("kind", ["x.zip", "x.tar"])
def test_members_that_lead_out_are_refused_by_name(tmp_path: Path, name: str, kind: str) -> None:
    path = packed(tmp_path / kind, {"a.csv": rows([1.0]).encode(), name: b"x"})
    with pytest.raises(ReadingError, match="lies outside of the archive's own folder") as error:
        bo.read_scores(path, "higher")
    assert "evil" in str(error.value)
    assert not list(tmp_path.rglob("evil*"))


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE])
def test_links_and_devices_are_refused(tmp_path: Path, kind: bytes) -> None:
    path = packed(tmp_path / "x.tar", {"secret.csv": b""}, type=kind, linkname="/etc/passwd")
    with pytest.raises(ReadingError, match=r"'secret\.csv' is a link or a device"):
        bo.read_scores(path, "higher")


def test_a_link_in_a_zip_file_is_refused(tmp_path: Path) -> None:
    entry = zipfile.ZipInfo("secret.csv")
    entry.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        archive.writestr(entry, "/etc/passwd")
    with pytest.raises(ReadingError, match=r"'secret\.csv' is a link"):
        bo.read_scores(tmp_path / "x.zip", "higher")


@pytest.mark.parametrize("kind", ["x.zip", "x.tar.gz"])
def test_bombs_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    monkeypatch.setattr(many_files, "LARGEST_UNPACKED", 1 << 20)
    path = packed(tmp_path / kind, {f"{i}.csv": bytes(1 << 18) for i in range(5)})
    assert path.stat().st_size < 1 << 14
    with pytest.raises(ReadingError, match="holds more than"):
        bo.read_scores(path, "higher")
    monkeypatch.setattr(many_files, "MOST_MEMBERS", 3)
    with pytest.raises(ReadingError, match="holds more than 3 files"):
        bo.read_scores(packed(tmp_path / f"many{kind}", {f"{i}.csv": b"" for i in range(5)}), "higher")


def test_damaged_archives(tmp_path: Path) -> None:
    whole = packed(tmp_path / "x.zip", {"a.csv": rows([1.0, 2.0]).encode() * 50}).read_bytes()
    for name, content in (("a.zip", whole[:60]), ("b.tar", b"no archive"), ("c.tar.gz", b"\x1f\x8b\x08rest")):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(ReadingError, match="cannot be unpacked"):
            bo.read_scores(tmp_path / name, "higher")
    with pytest.raises(ReadingError, match="in the archive twice"):
        bo.read_scores(packed(tmp_path / "d.tar", {"a.csv": b"x", "./a.csv": b"y"}), "higher")


CHOSEN = {"problem": "data,part", "algorithm": "model,size", "run": "fold,rep", "cluster": "group,half"}


def test_names_of_several_columns_are_those_of_one_file(tmp_path: Path) -> None:
    """They were an internal error."""
    header, whole = "data,part,model,size,fold,rep,group,half,acc\n", ""
    for i in range(3):
        text = "".join(
            f"d{i},{part},{model},{size},{run // 2},{run % 2},g{i},{part}{model == 'z'},0.{i}{j}{k}{run}\n"
            for j, part in enumerate("uv")
            for k, (model, size) in enumerate(("as", "al", "bs"))
            for run in range(4)
        )
        written(tmp_path, {f"parts/{i}.csv": header + text})
        whole += text
    one = written(tmp_path, {"whole.csv": header + whole})[0]
    found, wanted = (bo.read_scores(source, "higher", **CHOSEN) for source in (tmp_path / "parts", one))
    assert (found.algorithms, found.problems, found.clusters) == (wanted.algorithms, wanted.problems, wanted.clusters)
    assert found.runs is not None
    assert wanted.runs is not None
    assert found.runs.tolist() == wanted.runs.tolist()
    assert found.algorithms == ("a/s", "a/l", "b/s")
    parts = [str(tmp_path / "parts" / f"{i}.csv") for i in range(3)]
    asked = ["--better", "higher", *(word for name, columns in CHOSEN.items() for word in (f"--{name}", columns))]
    for command in ("compare", "evaluate", "leaderboard", "bayes"):
        done = CliRunner().invoke(main, [command, *parts, *asked])
        assert done.exit_code == 0, done.output


def test_a_file_for_each_problem_whose_algorithm_is_named(tmp_path: Path) -> None:
    """The first column of names was taken for that of the problems, though it was said to be the other."""
    texts = {f"p{i}.csv": f"cfg,size,acc\nm,1,0.{i}\nm,2,0.5\nn,1,0.7\nn,2,0.{i}\n" for i in range(1, 4)}
    written(tmp_path, texts)
    found = bo.read_scores(tmp_path, "higher", algorithm="cfg,size")
    assert (found.algorithms, found.problems) == (("m/1", "m/2", "n/1", "n/2"), ("p1", "p2", "p3"))
    labelled = {name: tmp_path / name for name in texts}
    with pytest.raises(ReadingError, match=r"no column 'cgf'.*did you mean 'cfg'"):  # the label was taken instead
        bo.read_scores(labelled, "higher", problem="size", algorithm="cgf", score="acc")


def test_a_column_called_file_is_no_file(tmp_path: Path) -> None:
    """It was refused, though each file is an algorithm."""
    texts = {f"{name}.csv": rows(scores, "file,acc") for name, scores in SCORES.items()}
    found = bo.read_scores(written(tmp_path, texts), "higher")
    assert (by_name(found), found.problems) == (WANTED, ("d1", "d2", "d3"))

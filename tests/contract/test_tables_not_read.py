"""Tables that are refused with a way out: its options, or the table that it describes, are read as they mean."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

import bakeoff as bo
from bakeoff.cli import main
from contract.reading_cases import PROGRAMS

DATA = [f"d{i}" for i in range(6)]


def answer(call: list[str], folder: Path) -> tuple[dict[str, object], str]:
    """What a command reads, or the message that it refuses a table with."""
    done = CliRunner().invoke(main, [*call, "--json"])
    assert done.exit_code in (0, 2), done.output
    assert not PROGRAMS.search(done.stderr)
    found = json.loads(done.stdout)["scores"] if done.exit_code == 0 else {}
    return found, " ".join(done.stderr.split()).replace(str(folder), ".")


def lines(header: str, row: str, sep: str = "\n") -> str:
    return sep.join([header, *(row.format(d=name, i=i + 2, j=(i * 7) % 5) for i, name in enumerate(DATA))]) + "\n"


def page_of(call: list[str]) -> str:
    return " ".join(CliRunner().invoke(main, call).stdout.split())


@pytest.mark.parametrize(
    "text",
    [
        lines(",acc,acc,time,time\nmodel,A,B,A,B\ndataset,,,,", "{d},.{i},.{j},{i},{j}"),
        lines(",acc,acc,time,time\n,A,B,A,B", "{d},.{i},.{j},{i},{j}"),
        lines(",acc,,time,\ndataset,A,B,A,B", "{d},.{i},.{j},{i},{j}"),
        lines("dataset;acc;acc;time;time\n;A;B;A;B", "{d};0,{i};0,{j};{i};{j}"),
    ],
)
def test_two_lines_of_names_are_read_as_one(text: str, tmp_path: Path) -> None:
    """Of pandas, with and without the names of levels and rows, and of merged cells: they were refused as repeated."""
    (tmp_path / "t.csv").write_text(text)
    call = ["compare", str(tmp_path / "t.csv"), "--better", "higher"]
    _, refusal = answer(call, tmp_path)
    assert "--drop time_A --drop time_B" in refusal
    call += ["--drop", "time_A", "--drop", "time_B"]
    found, _ = answer(call, tmp_path)
    assert found["algorithms"] == ["acc_A", "acc_B"]
    assert found["problems"] == DATA
    assert f"scores written as a table under {text.count(chr(10)) - len(DATA)} lines of names" in page_of(call)


def test_two_levels_of_algorithm_and_seed(tmp_path: Path) -> None:
    """The second line holds numbers; the third one shows that it is one of names."""
    (tmp_path / "t.csv").write_text(lines("model,net,net,tree,tree\nseed,0,1,0,1\ndataset,,,,", "{d},{i},{j},{j},{i}"))
    _, refusal = answer(["compare", str(tmp_path / "t.csv"), "--better", "lower"], tmp_path)
    assert "called like runs of net, tree" in refusal


def test_steps_are_said_before_rows_without_names(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("Wall time,Step,Value\n1.5,1,2.5\n2.5,2,3.5\n3.5,3,4.5\n")
    assert (
        "step of a run, by the column 'Step'"
        in answer(["compare", str(tmp_path / "t.csv"), "--better", "higher"], tmp_path)[1]
    )


def test_an_object_of_objects_and_numbers_has_no_way_out_that_fails(tmp_path: Path) -> None:
    (tmp_path / "t.json").write_text(json.dumps({"latencies": {"mean": 2, "max": 3}, "requests": 100}))
    assert "pandas" not in answer(["compare", str(tmp_path / "t.json"), "--better", "lower"], tmp_path)[1]


def test_repeated_names_are_refused(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(lines("dataset,net,net,tree", "{d},{i},{j},1"))
    _, refusal = answer(["compare", str(tmp_path / "t.csv"), "--better", "lower"], tmp_path)
    assert "line 1: column names must be unique; repeated: 'net' (columns 2, 3). Rename or remove the copies" in refusal


def test_a_first_row_of_words_is_no_second_header(tmp_path: Path) -> None:
    """Nobody solved the first instance; and a column without a name is empty."""
    (tmp_path / "t.csv").write_text("instance,a,b,\nx,TIMEOUT,memout,\ny,1,2,\nz,3,4,\n")
    done = CliRunner().invoke(main, ["runtimes", str(tmp_path / "t.csv"), "--cap", "10", "--json"])
    assert json.loads(done.stdout)["scores"]["problems"] == ["x", "y", "z"]
    (tmp_path / "t.csv").write_text("instance,a,a,b\nx,TIMEOUT,TIMEOUT,memout\ny,1,2,3\nz,3,4,5\n")
    done = CliRunner().invoke(main, ["runtimes", str(tmp_path / "t.csv"), "--cap", "10", "--json"])
    assert "repeated: 'a'" in done.stderr


NANOSECONDS = [[100.0, 101.0, 102.0], [120.0, 119.0, 121.0]]
METHODS = [
    {"Type": "Hash", "Method": method, "Parameters": f"N={n}", "Statistics": {"OriginalValues": values}}
    for method, values in zip(("Sha", "Md5"), NANOSECONDS, strict=True)
    for n in (10, 100)
]
FOREIGN = {
    "bdn.json": json.dumps({"HostEnvironmentInfo": {"BenchmarkDotNetVersion": "0.13"}, "Benchmarks": METHODS}),
    "nested.json": json.dumps({"A": dict.fromkeys(DATA, 0.5), "B": dict.fromkeys(DATA, 0.25)}),
    "t.tex": "\\begin{tabular}{lcc}\n\\toprule\n"
    + lines("Dataset & A & B \\\\", "{d} & \\textbf{{9{i}.5}} $\\pm$ 0.{j} & 8{i}.5 \\\\")
    + "\\bottomrule\n\\end{tabular}\n",
}


def test_a_table_of_latex_is_read(tmp_path: Path) -> None:
    (tmp_path / "t.tex").write_text(FOREIGN["t.tex"], encoding="utf-8")
    call = ["compare", str(tmp_path / "t.tex"), "--better", "higher"]
    found, refusal = answer(call, tmp_path)
    assert found.get("algorithms") == ["A", "B"], refusal
    assert found["values"][0] == [92.5, 82.5]  # type: ignore[index]
    assert "scores written as a LaTeX table" in page_of(call)


@pytest.mark.needs("pandas")
@pytest.mark.parametrize("turned", [False, True])
def test_the_statement_for_nested_objects_writes_a_table(turned: bool, tmp_path: Path) -> None:
    (tmp_path / "nested.json").write_text(FOREIGN["nested.json"])
    _, refusal = answer(["compare", str(tmp_path / "nested.json"), "--better", "higher"], tmp_path)
    of_algorithms, of_problems = re.findall(r"pandas\.read_json\(path\)\S+'\)", refusal)
    import pandas

    statement = (of_problems if turned else of_algorithms).replace("new.csv", str(tmp_path / "new.csv"))
    exec(statement, {"pandas": pandas, "path": tmp_path / "nested.json"})
    found, refusal = answer(["compare", str(tmp_path / "new.csv"), "--better", "higher"], tmp_path)
    assert found.get("algorithms") == (DATA if turned else ["A", "B"]), refusal
    assert found["problems"] == (["A", "B"] if turned else DATA)


def test_iterations_of_one_process_stay_what_they_are(tmp_path: Path) -> None:
    """A table of BenchmarkDotNet has no verdict: its iterations are of one process."""
    (tmp_path / "bdn.json").write_text(FOREIGN["bdn.json"])
    _, refusal = answer(["compare", str(tmp_path / "bdn.json"), "--better", "lower"], tmp_path)
    assert "with the columns problem, algorithm, run, run_kind (iteration) and score" in refusal
    rows = [
        f"{each['Parameters']},{each['Method']},{i},iteration,{x}"
        for each in METHODS
        for i, x in enumerate(each["Statistics"]["OriginalValues"])  # type: ignore[index]
    ]
    (tmp_path / "new.csv").write_text("\n".join(["problem,algorithm,run,run_kind,score", *rows]))
    done = CliRunner().invoke(main, ["compare", str(tmp_path / "new.csv"), "--better", "lower", "--json"])
    assert "one-process" in {each["code"] for each in json.loads(done.stdout)["cautions"]}


PAIRS = [*enumerate((d, m) for d in "xyz" for m in ("A", "B"))]
TUNE = "reward,time_this_iter_s,done,training_iteration,trial_id,node_ip,config/lr\n"
SPEC = (
    'valid,1\n\n"SPEC CPU2017 Integer Rate Result"\n\n"Full Results Table"\n\nBenchmark,"Base # Copies",'
    '"Base Run Time"\n500.a_r,64,300.5\n"Selected Results Table"\n\nBenchmark,"Base # Copies"\n500.a_r,64\n'
)


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("a.csv", TUNE + "1.5,1,False,1,x,10.0.0.1,.1\n2.5,1,True,2,x,10.0.0.1,.1\n", "holds the steps of one trial"),
        ("a.csv", "Timestamp,User Count,Type,Name,50%\n1,9,GET,/,3\n2,9,GET,/in,4\n", "(_stats.csv)"),
        ("a.csv", SPEC, "Write a row for each iteration in its Full Results Table"),
        ("a.html", "<html><table><tr><td>1</td></tr></table></html>", "pandas.read_html"),
        ("a.csv", "Resample,rf,svm\nFold1,.8,.7\nFold2,.7,.6\nFold3,.7,.6\n", "say --folds Resample: a test"),
        ("a.csv", "training_iteration,ppo,sac\n1,.8,.7\n2,.7,.6\n3,.7,.6\n", "steps of a run"),
        ("a.csv", "reward,training_iteration,timesteps_total\n1,1,100\n2,2,200\n3,3,300\n", "step of a run"),
        ("a.csv", "dataset,budget,A,B\nx,10,2.5,1\ny,10,2,3\n", "describes the rows, leave it out with --drop budget"),
        ("a.csv", "dataset,A_train,A_test,B_train,B_test\nx,1,2,1,3\ny,2,3,2,4\n", "--drop A_train --drop B_train"),
        ("a.csv", "dataset,A (train),A (test),B (train),B (test)\nx,1,2,1,3\ny,2,3,2,4\n", "several splits"),
        ("a.csv", "expr,min,lq,median,uq,neval\nf,1,2,3,4,100\ng,2,3,4,5,100\n", "statistics of one measurement"),
        ("a.csv", "Rank,TeamName,Score,Members\n1,x,.9,z\n2,y,.8,z\n3,w,.7,z\n", "each 'TeamName' has one row"),
        ("a.csv", "split,A,B\n0,1,2\n1,2,3\n2,3,4\n", "say --folds split: a test"),
        ("a.csv", "Dataset,Method,Mean,Std\nx,A,1.5,.1\nx,B,2.5,.1\ny,A,1.5,.2\ny,B,1.5,.2\n", "--score Mean"),
        ("a.csv", "prompt_id,topic,A,B\n1,x,2,3\n2,x,3,4\n3,y,4,5\n4,y,5,6\n", "--cluster topic"),
        (
            "a.csv",
            "dataset,model,Recall@10,NDCG@10,time\n" + "".join(f"{d},{m},.{i},.{i}5,{i}.5\n" for i, (d, m) in PAIRS),
            "could all be the score column; say which: --score Recall@10 or --score NDCG@10",
        ),
        ("a.csv", "utt,ref_words,A_errors,B_errors\nx,9,2,3\ny,8,3,4\nz,7,1,2\n", "out with --drop ref_words"),
        (
            "a.csv",
            "instance,A_status,A_time,B_status,B_time\nx,SAT,1,TIMEOUT,9\ny,SAT,2,UNSAT,3\nz,SAT,9,SAT,4\n",
            "hold how runs ended, and a run that failed has no score",
        ),
        (
            "a.csv",
            "dataset,algorithm,mean,lower,upper,n\n" + "".join(f"{d},{m},{i},{i},{i},9\n" for i, (d, m) in PAIRS),
            "Name it with --score mean",
        ),
        ("a.csv", "Rank,Model,Arena Score,Votes\n1,x,9,20\n2,y,8,30\n3,z,7,10\n", "'Votes' looks like a statistic"),
        (
            "a.csv",
            "benchmark,fuzzer,trial_id,time,edges\n"
            + "".join(
                f"{b},{f},{i},{t},{t}.{i}\n" for b in "xyz" for f in ("afl", "aflpp") for i in "12" for t in (9, 18)
            ),
            "--score edges or --score time",
        ),
    ],
)
def test_what_one_table_cannot_show_is_said(name: str, text: str, words: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    found, refusal = answer(["compare", str(tmp_path / name), "--better", "lower"], tmp_path)
    assert not found
    assert words in refusal


@pytest.mark.parametrize(
    ("text", "left", "values"),
    [
        ("Dataset,A,A Rank,B,B Rank\nx,1,2,3,1\ny,2,2,4,1\n", ["A Rank", "B Rank"], [[1, 3], [2, 4]]),
        ("user,A,B,C,age\nx,2,3,1,20\ny,3,4,2,30\nz,1,2,5,40\n", ["age"], [[2, 3, 1], [3, 4, 2], [1, 2, 5]]),
        ("F,#inst,A,B\nx,20,.5,.25\ny,30,.75,.5\n", ["#inst"], [[0.5, 0.25], [0.75, 0.5]]),
    ],
)
def test_what_is_no_score_is_left_out_and_said(
    text: str, left: list[str], values: list[list[float]], tmp_path: Path
) -> None:
    (tmp_path / "a.csv").write_text(text)
    call = ["compare", str(tmp_path / "a.csv"), "--better", "lower"]
    found, refusal = answer(call, tmp_path)
    assert found["values"] == values, refusal
    assert [role["column"] for role in found["reading"]["roles"]] == left  # type: ignore[index]
    page = " ".join(CliRunner().invoke(main, call).stdout.split())
    assert all(f"“{name}” (" in page.partition("left out: ")[2] for name in left)


@pytest.mark.parametrize(
    ("text", "drop", "problems"),
    [
        (lines("Function,Metric,A,B", "{d},Mean,{i}.5,{j}.5\n{d},Std,.{i},.{j}"), "Metric", DATA),
        (lines("task,metric,A,B", "{d},acc,{i}.5,{j}.5\n{d}r,rmse,.{i},.{j}"), "metric", DATA),
        (lines("test,Lower/Higher,A,B", "{d},HIB,{i}.5,{j}.5\n{d}r,LIB,.{i},.{j}"), "Lower/Higher", DATA),
    ],
)
def test_rows_of_one_kind_are_kept(text: str, drop: str, problems: list[str], tmp_path: Path) -> None:
    """Rows of Mean and Std, or of metrics with opposite directions: leaving the column out mixed them."""
    (tmp_path / "t.csv").write_text(text)
    _, refusal = answer(["compare", str(tmp_path / "t.csv"), "--better", "higher"], tmp_path)
    assert "--drop" not in refusal
    kept = re.search(r"of one \((\w+)\) in a file of its own", refusal)
    assert kept is not None, refusal
    header, *rows = text.splitlines()
    (tmp_path / "new.csv").write_text("\n".join([header, *(row for row in rows if f",{kept[1]}," in row)]))
    call = ["compare", str(tmp_path / "new.csv"), "--better", "higher"]
    assert f"--drop {drop}" in answer(call, tmp_path)[1]
    found, _ = answer([*call, "--drop", drop], tmp_path)
    assert (found["algorithms"], found["problems"]) == (["A", "B"], problems)


def test_rows_without_names_are_numbered(tmp_path: Path) -> None:
    """The scores of the first column were taken for the names of the problems."""
    (tmp_path / "t.csv").write_text("A,B,C\n.5,.6,.7\n.4,.6,.8\n.3,.5,.8\n")
    call = ["compare", str(tmp_path / "t.csv"), "--better", "higher"]
    found, refusal = answer(call, tmp_path)
    assert (found["algorithms"], found["problems"]) == (["A", "B", "C"], ["P1", "P2", "P3"]), refusal
    assert found["values"] == [[0.5, 0.6, 0.7], [0.4, 0.6, 0.8], [0.3, 0.5, 0.8]]
    found, _ = answer([*call, "--problem", "A"], tmp_path)
    assert (found["algorithms"], found["problems"]) == (["B", "C"], [".5", ".4", ".3"])


@pytest.mark.parametrize("folder", [False, True])
def test_steps_of_tune_are_no_problems_whatever_is_left_out(folder: bool, tmp_path: Path) -> None:
    """A folder of trials compared seconds with learning rates over 20 "problems"; an address stopped --drop."""
    for trial in "xy" if folder else "x":
        (tmp_path / trial).mkdir()
        steps = "".join(f"{i}.5,1.{i},False,{i},{trial},10.0.0.1,.1\n" for i in range(1, 9))
        (tmp_path / trial / "progress.csv").write_text(TUNE + steps)
    names = ("done", "trial_id", "node_ip", "training_iteration")
    source = tmp_path if folder else tmp_path / "x" / "progress.csv"
    drop = [word for name in names for word in ("--drop", name)]
    found, refusal = answer(["compare", str(source), "--better", "higher", *drop], tmp_path)
    assert not found
    assert "--problem config/env --algorithm config/algo --run config/seed" in refusal
    trials = "trial_id,reward,training_iteration,config/env,config/algo,config/seed\n" + "".join(
        f"{i}{a}{s},{i}.{s},10,env{i},{a},{s}\n" for i in "123" for a in ("PPO", "SAC") for s in "12"
    )
    (tmp_path / "trials.csv").write_text(trials)
    call = ["compare", str(tmp_path / "trials.csv"), "--better", "higher", "--score", "reward"]
    found, refusal = answer([*call, *refusal.partition("what: ")[2].split()], tmp_path)
    assert (found.get("problems"), found.get("algorithms")) == (["env1", "env2", "env3"], ["PPO", "SAC"]), refusal


def test_a_table_with_a_name_of_another_program_is_read_by_its_columns(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(lines("sample_id,A,B", "{d},{i},{j}"))
    call = ["compare", str(tmp_path / "t.csv"), "--better", "higher"]
    refusal = answer(call, tmp_path)[1]
    assert "say what they are: --problem sample_id." in refusal
    assert answer([*call, "--problem", "sample_id"], tmp_path)[0]["problems"] == DATA


@pytest.mark.parametrize(("sign", "value"), [(".", 27.112), (",", 27112.0)])
def test_points_that_may_separate_thousands_are_asked_about(sign: str, value: float, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("dataset;A;B\nx;27.112;31.250\ny;985;12.250\n")
    call = ["compare", str(tmp_path / "t.csv"), "--better", "lower"]
    _, refusal = answer(call, tmp_path)
    assert "27.112 for one" in refusal
    assert f"--decimal {sign}" in refusal
    found, _ = answer([*call, "--read", f"decimal={sign}"], tmp_path)
    assert found["values"][0][0] == value  # type: ignore[index]


@pytest.mark.parametrize(
    "row",
    ["x;0.912;0.850", "x;27.1;31.250", "x;27.1125;31.250", "v1.250;7.5;8.250", "x;7.832;9.828", "985;7.832;9.828"],
)
def test_points_that_can_only_be_decimal_are_not(row: str, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(f"dataset;A;B\ny;27.112;31.250\n{row}\n")
    found, refusal = answer(["compare", str(tmp_path / "t.csv"), "--better", "lower"], tmp_path)
    assert found["values"][0] == [27.112, 31.25], refusal  # type: ignore[index]


def test_a_system_of_a_submitter_is_the_algorithm(tmp_path: Path) -> None:
    """MLPerf: the public id was offered as part of the problem, which left one algorithm."""
    rows = [
        f"{s}-{i},{s},{b},{i}.{k}"
        for s in ("NV", "AM")
        for i in (1, 2)
        for k, b in enumerate(("resnet", "bert", "dlrm"))
    ]
    (tmp_path / "t.csv").write_text("\n".join(["Public ID,Submitter,Benchmark,Result", *rows]))
    call = ["compare", str(tmp_path / "t.csv"), "--better", "higher"]
    assert "say --algorithm 'Submitter,Public ID'" in answer(call, tmp_path)[1]
    found, _ = answer([*call, "--algorithm", "Submitter,Public ID"], tmp_path)
    assert found["algorithms"] == ["NV/NV-1", "NV/NV-2", "AM/AM-1", "AM/AM-2"]
    found, _ = answer([*call, "--algorithm", "Public ID"], tmp_path)
    assert found["algorithms"] == ["NV-1", "NV-2", "AM-1", "AM-2"]


def test_a_rule_above_a_header_and_spaces_between_columns(tmp_path: Path) -> None:
    """Mittelmann's tables."""
    text = "=====================\nproblem  copt  highs\n---------------------\n" + "".join(
        f"{d:<9}{i + 1:>4}{i + 2:>7}\n" for i, d in enumerate(DATA)
    )
    (tmp_path / "t.txt").write_text(text)
    found, refusal = answer(["compare", str(tmp_path / "t.txt"), "--better", "lower"], tmp_path)
    assert (found.get("algorithms"), found.get("problems")) == (["copt", "highs"], DATA), refusal


def test_matrices_of_numpy_with_spaces(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.txt").write_text("1.5e+00 2.5e+00\n3.5e+00 4.5e+00\n")
    found, refusal = answer(
        ["compare", *(str(tmp_path / f"{n}.txt") for n in "ab"), "--better", "lower", "--format", "rliable"], tmp_path
    )
    assert (found.get("algorithms"), found.get("problems")) == (["a", "b"], ["task 0", "task 1"]), refusal


def test_records_with_records_in_them(tmp_path: Path) -> None:
    records = [
        {"dataset": d, "model": m, "metrics": {"acc": i + j}} for i, d in enumerate(DATA) for j, m in enumerate("AB")
    ]
    (tmp_path / "t.json").write_text(json.dumps(records))
    found, refusal = answer(["compare", str(tmp_path / "t.json"), "--better", "higher"], tmp_path)
    assert found.get("values") == [[i, i + 1] for i in range(6)], refusal


def test_names_of_columns_are_no_options(tmp_path: Path) -> None:
    """A column standard_error was printed as --standard-error."""
    (tmp_path / "t.csv").write_text(",win_share,standard_error\ngpt4,1.5,2.5\nclaude,3.5,4.5\n")
    _, refusal = answer(["compare", str(tmp_path / "t.csv"), "--better", "higher"], tmp_path)
    assert "(win_share, standard_error)" in refusal


@pytest.mark.parametrize(
    ("header", "rest", "kept"),
    [
        ("f,A mean error,A std,B mean error,B std,C mean error,C std", ["A std", "B std", "C std"], "A mean error"),
        ("f,A colors,A time (s),B colors,B time (s)", ["A time (s)", "B time (s)"], "A colors"),
        ("f,A best,A avg.,B best,B avg.", ["A best", "B best"], "A avg."),
        ("f,B std,A mean error,B mean error,A std", ["B std", "A std"], "A mean error"),
    ],
)
def test_each_algorithm_has_the_same_measures(header: str, rest: list[str], kept: str, tmp_path: Path) -> None:
    """Means were compared with their own deviations, colors with seconds: the deviations won."""
    columns = header.count(",")
    row = ",".join(["{d}", *(["{i}.5", "{j}"] * columns)[:columns]])
    (tmp_path / "t.csv").write_text(lines(header, row))
    found, refusal = answer(["compare", str(tmp_path / "t.csv"), "--better", "lower"], tmp_path)
    assert not found
    assert all(f"--drop {name!r}" in refusal for name in rest), refusal
    drops = [part for name in rest for part in ("--drop", name)]
    call = ["compare", str(tmp_path / "t.csv"), "--better", "lower", *drops]
    found, refusal = answer(call, tmp_path)
    if not found:  # time as a metric of its own is asked for once more
        found, refusal = answer([*call, "--keep", kept], tmp_path)
    assert found, refusal
    assert found["algorithms"] == [name for name in header.split(",")[1:] if name not in rest]


def test_functions_of_two_suites_are_no_measures(tmp_path: Path) -> None:
    """f1 is a metric and the first function of most suites."""
    (tmp_path / "t.csv").write_text("method,cec f1,cec f2,bbob f1,bbob f2\nA,1,2,3,4\nB,2,3,4,5\nC,3,4,5,6\n")
    found, refusal = answer(["compare", str(tmp_path / "t.csv"), "--better", "lower"], tmp_path)
    assert found["problems"] == ["cec f1", "cec f2", "bbob f1", "bbob f2"], refusal


def test_identifiers_are_no_algorithms(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(lines("run_id,task_id,flow_id,accuracy", "{i},{j},{i},.{i}"))
    found, refusal = answer(["compare", str(tmp_path / "t.csv"), "--better", "higher"], tmp_path)
    assert not found
    assert "'task_id' and 'flow_id'" in refusal


def test_the_result_of_a_solver_is_its_status(tmp_path: Path) -> None:
    """In a column called like a score: it was taken for one, and, with --score, the limit for a time."""
    ends = {"A": "SAT", "B": "TIMEOUT"}
    rows = [f"{d},{s},{ends[s] if i else 'UNSAT'},{100 + i * len(ends[s])}" for i, d in enumerate(DATA) for s in "AB"]
    (tmp_path / "t.csv").write_text("\n".join(["benchmark,solver,result,cpu time (s)", *rows, ""]))
    _, refusal = answer(["compare", str(tmp_path / "t.csv"), "--better", "lower"], tmp_path)
    assert "problem 'd1', algorithm 'B' (timeout)" in refusal


def test_a_column_of_models_is_not_left_out(tmp_path: Path) -> None:
    """Its advice was to drop the models, and to compare the benchmarks."""
    text = lines("key,Model,MT-bench,MMLU,License", "{d},Model {d},{i},.{j},MIT")
    (tmp_path / "t.csv").write_text(text)
    _, refusal = answer(["compare", str(tmp_path / "t.csv"), "--better", "higher"], tmp_path)
    more = ["--problem", "Model", "--rows", "algorithms", "--drop", "key"]
    assert " ".join(more) in refusal
    found, _ = answer(["compare", str(tmp_path / "t.csv"), "--better", "higher", *more], tmp_path)
    assert (found["problems"], found["algorithms"][0]) == (["MT-bench", "MMLU"], "Model d0")


def test_columns_that_may_be_scores_are_named(tmp_path: Path) -> None:
    rows = [f"{a},ef={e},{d},{i + e}.5,{i * e}.25" for a in "AB" for e in (1, 2) for i, d in enumerate(DATA)]
    (tmp_path / "t.csv").write_text("\n".join(["algorithm,parameters,dataset,k-nn,qps", *rows, ""]))
    _, refusal = answer(["compare", str(tmp_path / "t.csv"), "--better", "higher"], tmp_path)
    assert "--score k-nn or --score qps" in refusal


def test_truth_values_of_json_become_numbers(tmp_path: Path) -> None:
    records = [{"instance_id": d, "model": m, "resolved": d < m} for d in DATA for m in ("a", "d3")]
    (tmp_path / "t.jsonl").write_text("".join(f"{json.dumps(record)}\n" for record in records))
    for options in ([], ["--score", "resolved"]):
        found, refusal = answer(["compare", str(tmp_path / "t.jsonl"), "--better", "higher", *options], tmp_path)
        assert found["algorithms"] == ["a", "d3"], refusal
        assert found["values"] == [[0, 1], [0, 1], [0, 1], [0, 0], [0, 0], [0, 0]]


@pytest.mark.parametrize(
    ("header", "row", "drops"),
    [
        ("F,Mean_A,Std_A,Mean_B,Std_B", "{d},{i}.5,{j},{i}.25,{j}", ["Std_A", "Std_B"]),
        ("F,A (acc),B (acc),A (params),B (params)", "{d},.{i},.{j},{i},{j}", ["A (params)", "B (params)"]),
        ("F,before,after,change", "{d},{i}.5,{j}.5,{j}", ["change"]),
        ("F,A,B,diff,p", "{d},{i}.5,{j}.5,{j},.{i}", ["diff", "p"]),
        ("F,IR,C4.5,SVM", "{d},{j}.5,.{i},.{j}", ["IR"]),
        ("F,weight,A,B", "{d},.{i},{i}.5,{j}.5", ["weight"]),
    ],
)
def test_what_is_no_algorithm_is_left_out_by_name(header: str, row: str, drops: list[str], tmp_path: Path) -> None:
    """Deviations, numbers of parameters, differences and properties of data sets were ranked with the algorithms."""
    (tmp_path / "t.csv").write_text(lines(header, row))
    call = ["compare", str(tmp_path / "t.csv"), "--better", "higher"]
    found, refusal = answer(call, tmp_path)
    assert not found
    assert all(f"--drop {name}" in refusal.replace("'", "") for name in drops), refusal
    rest = [name for name in header.split(",")[1:] if name not in drops]
    call += [part for name in drops for part in ("--drop", name)]
    found, refusal = answer(call, tmp_path)
    if "(acc)" in header:  # which might be a metric of two things
        assert f"--keep {rest[0]!r}" in refusal
        found, _ = answer([*call, "--keep", rest[0]], tmp_path)
    assert found["algorithms"] == rest


def test_properties_of_data_sets_are_left_out_and_named(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(lines("F,n,d,A,B", "{d},{i}50,{i},.{i},.{j}"))
    scores = bo.read_scores(tmp_path / "t.csv", better="higher")
    assert (scores.algorithms, [role.column for role in scores.read_as.roles]) == (("A", "B"), ["n", "d"])


def test_rows_of_means_and_deviations_are_not_counted_twice(tmp_path: Path) -> None:
    rows = [f"{d} {word},{i}.5,{i * 2}.25" for i, d in enumerate(DATA) for word in ("Best", "Mean", "Std")]
    (tmp_path / "t.csv").write_text("\n".join(["function,A,B", *rows, ""]))
    call = ["compare", str(tmp_path / "t.csv"), "--better", "lower"]
    refusal = answer(call, tmp_path)[1]
    drops = " ".join(re.findall("--drop '[^']*'", refusal))
    found, _ = answer([*call, *shlex.split(drops)], tmp_path)
    assert found["problems"] == [f"{d} Mean" for d in DATA]


@pytest.mark.parametrize(
    "header", ["problem,p,t,z", "problem,ratio test,simplex,barrier", "problem,best fit,first fit"]
)
def test_algorithms_that_are_called_nearly_so_are_compared(header: str, tmp_path: Path) -> None:
    columns = header.count(",")
    (tmp_path / "t.csv").write_text(lines(header, ",".join(["{d}", "{i}.5", "{j}.5", "{i}.25"][: columns + 1])))
    found, refusal = answer(["compare", str(tmp_path / "t.csv"), "--better", "lower"], tmp_path)
    assert found, refusal
    assert found["algorithms"] == header.split(",")[1:]


@pytest.mark.parametrize("score", ["resolved", "is_correct", "success"])
def test_truth_values_of_a_table_become_numbers(score: str, tmp_path: Path) -> None:
    rows = [f"{d},{m},{d < m}" for d in DATA for m in ("a", "d3")]
    (tmp_path / "t.csv").write_text("\n".join([f"task,agent,{score}", *rows, ""]))
    for options in ([], ["--score", score]):
        found, refusal = answer(["compare", str(tmp_path / "t.csv"), "--better", "higher", *options], tmp_path)
        assert found["algorithms"] == ["a", "d3"], refusal
        assert found["values"] == [[0, 1], [0, 1], [0, 1], [0, 0], [0, 0], [0, 0]]


def test_words_of_an_ending_in_whole_columns_become_numbers(tmp_path: Path) -> None:
    text = lines("dataset,A,B", "{d},resolved,unresolved").replace("d0,resolved", "d0,unresolved")
    (tmp_path / "words.csv").write_text(text)
    found, refusal = answer(["compare", str(tmp_path / "words.csv"), "--better", "higher"], tmp_path)
    assert found["values"] == [[0, 0], *[[1, 0]] * 5], refusal

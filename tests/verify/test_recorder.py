"""The recorder as a file of its own, on a machine that has torch_xla and not xlaport."""

from __future__ import annotations

import importlib.metadata as metadata
import json
import os
import re
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest

from tests.warm_python import with_xlaport
from xlaport.errors import UserError
from xlaport.verify import Budgets
from xlaport.verify.package import write_recorder
from xlaport.verify.recording import Recording, load

from .conftest import MODEL
from .recording import found

READS = (
    MODEL
    + """\
for i in range(24):
    loss = train(batch())
    torch_xla.sync()
    print(loss.item())
"""
)


def torch_xla_and_what_it_needs() -> set[Path]:
    """The files and folders beside each other in site-packages that torch_xla is made of, and what it asks for."""
    waiting, seen, found = ["torch_xla", "torch"], set(), set()
    while waiting:
        name = re.sub(r"[-_.]+", "-", waiting.pop()).lower()
        if name in seen:
            continue
        seen.add(name)
        try:
            distribution = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            continue  # for another system
        needs = [need for need in distribution.requires or () if "extra ==" not in need]
        waiting += [match[0] for need in needs if (match := re.match(r"[\w.-]+", need))]
        for file in distribution.files or ():
            if file.parts[0] not in ("..", "/", "__pycache__"):
                found.add(Path(str(distribution.locate_file(file.parts[0]))))
    return found


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment with torch_xla and what that needs, and nothing of xlaport's."""
    root = tmp_path_factory.mktemp("elsewhere")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(root)], check=True)
    (site,) = root.glob("lib/python3*/site-packages")
    for path in torch_xla_and_what_it_needs():
        (site / path.name).symlink_to(path)
    return root / "bin" / "python"


@pytest.fixture(scope="module")
def recorder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("recorder") / "xlaport_recorder.pyz"
    write_recorder(path)
    return path


def record(
    python: Path | str, recorder: Path, folder: Path, *arguments: str, **environment: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(python), str(recorder), *arguments],
        cwd=folder,
        env={"PATH": os.environ["PATH"], "HOME": str(folder), **environment},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def bare(folder: Path) -> dict[str, str]:
    """A stand-in for torch and torch_xla, for what is about files, exits and signals."""
    for name in ("torch", "torch_xla"):
        (folder / f"{name}.py").write_text("")
    return {"PYTHONPATH": str(folder)}


def judge(recording: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [with_xlaport(), "-m", "xlaport", "verify", "--metrics", recording.name, *options],
        cwd=recording.parent,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_a_run_is_recorded_where_xlaport_is_not_and_judged_here(
    elsewhere: Path, recorder: Path, tmp_path: Path
) -> None:
    there = tmp_path / "there"
    there.mkdir()
    (there / "train.py").write_text(READS + "print('never reached')\n")
    asked = "import importlib.util as u; print([u.find_spec(n) for n in ('xlaport', 'libcst', 'typer', 'pytest')])"
    alone = subprocess.run([str(elsewhere), "-c", asked], cwd=there, capture_output=True, text=True, check=True)
    assert alone.stdout == "[None, None, None, None]\n"

    run = record(elsewhere, recorder, there, "--steps", "20", "train.py", "--lr", "0.1", PJRT_DEVICE="CPU")
    assert run.returncode == 0, run.stderr
    assert "never reached" not in run.stderr
    assert "judge it with  xlaport verify --metrics run.xlaport" in run.stderr.splitlines()[-1]
    recording = load(there / "run.xlaport")
    assert recording.run.command[1:] == ("train.py", "--lr", "0.1")
    assert recording.machine.versions["torch_xla"] == "2.9.0"
    verdict = recording.verdict(Budgets())
    assert (verdict.verdict, verdict.torch_xla, verdict.steps) == ("fail", "2.9.0", 20)
    assert found(verdict) == {("host-read", 18)}

    # On the machine that judges there is no script.
    here = tmp_path / "run.xlaport"
    (there / "run.xlaport").rename(here)
    (there / "train.py").unlink()
    text = judge(here)
    assert text.returncode == 1, text.stderr
    assert "train.py:18: host-read" in text.stdout
    assert "    | print(loss.item())" in text.stdout
    assert "train.py --lr 0.1: recorded on" in text.stderr
    assert json.loads(judge(here, "--output-format", "json").stdout)["findings"][0]["path"] == "train.py"
    assert judge(here, "--max-transfers", "1", "--html", "page.html").returncode == 0
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert ">train.py:" in page
    assert "print(loss.item())" in page


def test_the_recorder_holds_the_very_probe_and_the_same_bytes_each_time(recorder: Path, tmp_path: Path) -> None:
    package = Path(__file__).parents[2] / "xlaport"
    with zipfile.ZipFile(recorder) as file:
        names = set(file.namelist())
        for module in [*(package / "verify" / "probe").glob("*.py"), package / "verify" / "events.py"]:
            name = module.relative_to(package.parent).as_posix()
            assert file.read(name) == module.read_bytes()
            names.discard(name)
    assert {"__main__.py", "xlaport/verify/graphs.py", "xlaport/verify/recorder.py"} <= names
    write_recorder(tmp_path / "again.pyz")
    assert (tmp_path / "again.pyz").read_bytes() == recorder.read_bytes()
    with pytest.raises(UserError, match="cannot be written"):
        write_recorder(tmp_path / "missing" / "recorder.pyz")


def test_the_recorder_starts_with_the_standard_library_alone(recorder: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-I", "-S", str(recorder), "--help"], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    assert "--steps" in run.stdout


@pytest.mark.parametrize(
    ("body", "options", "code", "exit_code", "number"),
    [
        ("print('ok')", (), 0, 0, None),
        ("import sys; sys.exit(3)", (), 3, 3, None),
        ("raise ValueError('no')", (), 1, 1, None),
        ("import os; os.kill(os.getpid(), 9)", (), 137, None, 9),
        ("import time; time.sleep(600)", ("--timeout", "5"), 124, None, 15),
    ],
)
def test_however_a_script_ends_there_is_a_recording(
    recorder: Path,
    tmp_path: Path,
    body: str,
    options: tuple[str, ...],
    code: int,
    exit_code: int | None,
    number: int | None,
) -> None:
    (tmp_path / "train.py").write_text(f"print('first')\n{body}\n")
    run = record(sys.executable, recorder, tmp_path, *options, "--out", "r.xlaport", "train.py", **bare(tmp_path))
    assert run.returncode == code, run.stderr
    recorded = load(tmp_path / "r.xlaport").run
    assert (recorded.exit_code, recorded.signal, recorded.timed_out) == (exit_code, number, "--timeout" in options)
    assert recorded.tail.startswith("first\n")
    assert judge(tmp_path / "r.xlaport").returncode == 2
    if "ValueError" in body:
        (tmp_path / "train.py").unlink()
        assert judge(tmp_path / "r.xlaport").stdout.startswith("ERROR: train.py:2: The script failed: ValueError: no")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupted_recorder_keeps_what_it_has_seen(recorder: Path, tmp_path: Path, number: int) -> None:
    (tmp_path / "train.py").write_text("import time\nopen('started', 'w').close()\ntime.sleep(600)\n")
    # A shell's background job has its interrupts ignored, nohup's its hang-ups, and so would all that these tests start
    # there.
    heed = (
        "import runpy, signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
        "signal.signal(signal.SIGHUP, signal.SIG_DFL); signal.signal(signal.SIGTERM, signal.SIG_DFL); "
        "sys.argv = sys.argv[1:]; runpy.run_path(sys.argv[0], run_name='__main__')"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", heed, str(recorder), "train.py"],
        cwd=tmp_path,
        env={"PATH": os.environ["PATH"], **bare(tmp_path)},
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 60
    while not (tmp_path / "started").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(number)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130, said
    assert "was interrupted" in said
    assert "Traceback" not in said
    assert load(tmp_path / "run.xlaport").run.interrupted


def test_a_module_and_arguments_that_look_like_options(recorder: Path, tmp_path: Path) -> None:
    (tmp_path / "trainer.py").write_text("import sys; print(sys.argv[1:])\n")
    arguments = ("--steps", "7", "-m", "--out", "mine")
    run = record(sys.executable, recorder, tmp_path, "-m", "trainer", *arguments, **bare(tmp_path))
    assert run.returncode == 0, run.stderr
    recorded: Recording = load(tmp_path / "run.xlaport")
    assert recorded.run.command[1:] == ("-m", "trainer", *arguments)
    assert recorded.run.tail == f"{list(arguments)}\n"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ((), "required"),
        (("--steps", "x", "train.py"), "invalid int value"),
        (("--steps", "-1", "train.py"), "positive"),
        (("--what", "train.py"), "--what"),
        (("missing.py",), "no such file"),
        (("--out", ".", "train.py"), "is a folder"),
        (("--out", "missing/run", "train.py"), "cannot be written to"),
    ],
)
def test_a_call_that_is_wrong_is_one_line(recorder: Path, tmp_path: Path, options: tuple[str, ...], words: str) -> None:
    (tmp_path / "train.py").write_text("open('ran', 'w')\n")
    run = record(sys.executable, recorder, tmp_path, *options, **bare(tmp_path))
    assert run.returncode == 2
    assert run.stderr.startswith("xlaport_recorder: ")
    assert words in run.stderr
    assert run.stderr.count("\n") == 1
    assert not (tmp_path / "ran").exists()


def test_without_torch_xla_it_says_so(recorder: Path, tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("")
    run = subprocess.run(
        [sys.executable, "-S", str(recorder), "train.py"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert run.returncode == 2
    assert run.stderr.endswith("has no torch: start the recorder with the Python that trains\n")

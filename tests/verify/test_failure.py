"""One clear line for a script that failed: what, where, and what to do."""

from __future__ import annotations

import pytest

from xlaport.verify.events import Boundary, Counts, Halted, Lost
from xlaport.verify.failure import failure, find_crash, last_words
from xlaport.verify.judge import judge
from xlaport.verify.request import Budgets

from .recording import Recording, at, one

PLAIN = """\
epoch 1
Traceback (most recent call last):
  File "train.py", line 30, in <module>
    main()
  File "/project/model.py", line 12, in forward
    return self.layer(x)
           ^^^^^^^^^^^^^
  File "/venv/lib/python3.11/site-packages/torch/nn/modules/linear.py", line 134, in forward
    return F.linear(input, self.weight, self.bias)
RuntimeError: mat1 and mat2 shapes cannot be multiplied (4x9 and 8x2)
"""
LAUNCHED = '''\
concurrent.futures.process._RemoteTraceback:
"""
Traceback (most recent call last):
  File "/usr/lib/python3.11/concurrent/futures/process.py", line 256, in _process_worker
    r = call_item.fn(*call_item.args, **call_item.kwargs)
  File "/project/train.py", line 7, in worker
    raise ValueError("bad")
ValueError: bad
"""

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "/project/train.py", line 40, in <module>
    torch_xla.launch(worker)
ValueError: bad
'''


def test_the_users_innermost_frame_is_named() -> None:
    crash = find_crash(PLAIN, "/project")
    assert crash is not None
    assert crash.message.startswith("RuntimeError: mat1 and mat2")
    assert crash.site is not None
    assert (crash.site.path, crash.site.line, crash.site.function) == ("/project/model.py", 12, "forward")
    assert [(frame.path, frame.line) for frame in crash.frames[1:]] == [("/project/train.py", 30)]


def test_a_relative_path_is_that_of_the_folder_it_ran_in() -> None:
    output = 'Traceback (most recent call last):\n  File "train.py", line 3, in <module>\nKeyError: 1\n'
    crash = find_crash(output, "/project")
    assert crash is not None
    assert crash.site is not None
    assert crash.site.path == "/project/train.py"


def test_of_a_launched_function_its_own_frame_is_named() -> None:
    crash = find_crash(LAUNCHED, "/project")
    assert crash is not None
    assert crash.site is not None
    assert (crash.message, crash.site.line) == ("ValueError: bad", 7)


def test_of_chained_exceptions_the_last_one_counts() -> None:
    chained = (
        PLAIN
        + "\nDuring handling of the above exception, another exception occurred:\n\n"
        + PLAIN.replace("RuntimeError: mat1 and mat2 shapes cannot be multiplied (4x9 and 8x2)", "my.errors.Oops")
    )
    crash = find_crash(chained, "/project")
    assert crash is not None
    assert crash.message == "Oops"


def test_a_syntax_error_has_no_traceback_head() -> None:
    output = '  File "/project/train.py", line 2\n    def f(:\n          ^\nSyntaxError: invalid syntax\n'
    crash = find_crash(output, "/project")
    assert crash is not None
    assert crash.site is not None
    assert (crash.message, crash.site.line) == ("SyntaxError: invalid syntax", 2)


def test_output_without_a_traceback_has_no_crash() -> None:
    assert find_crash("Error: this is only printed\nloss: 0.3\n", "/project") is None


@pytest.mark.parametrize(
    ("message", "advice"),
    [
        ("ModuleNotFoundError: No module named 'timm'", "Install that module"),
        ("SyntaxError: Missing parentheses in call to 'print'", "may be of Python 2"),
        ("RuntimeError: Runtime is already initialized. Do not use the XLA ...", "torch_xla.launch"),
        ("TypeError: can't convert xla:0 device type tensor to numpy.", ".cpu()"),
        ("SomethingElse: entirely", "PJRT_DEVICE=CPU"),
    ],
)
def test_well_known_exceptions_come_with_advice(message: str, advice: str) -> None:
    tail = f'Traceback (most recent call last):\n  File "train.py", line 3, in <module>\n{message}\n'
    finding = failure(Recording().run(exit_code=1, tail=tail))
    assert finding is not None
    assert finding.line == 3
    assert message in finding.reason
    assert advice in finding.advice


@pytest.mark.parametrize(("loaded", "advice"), [(("torch",), "convert"), (("torch", "torch_xla"), "check")])
def test_a_script_that_is_ported_is_not_sent_to_be_converted_again(loaded: tuple[str, ...], advice: str) -> None:
    tail = "Traceback (most recent call last):\nAssertionError: Torch not compiled with CUDA enabled\n"
    finding = failure(Recording(*loaded).run(exit_code=1, tail=tail))
    assert finding is not None
    assert [word for word in ("convert", "check") if f"xlaport {word}" in finding.advice] == [advice]


def test_an_exit_code_without_a_traceback() -> None:
    finding = failure(Recording().run(exit_code=3))
    assert finding is not None
    assert "code 3" in finding.reason


def test_a_killed_script_is_named_by_its_signal_and_where_it_was_last_seen() -> None:
    recording = Recording()
    recording.events.append(Boundary("marker", "sync", at(20), Counts(1, 1)))
    finding = failure(recording.run(exit_code=None, signal=9))
    assert finding is not None
    assert "SIGKILL" in finding.reason
    assert "memory" in finding.advice
    assert finding.line == 20


def test_a_script_without_torch_is_not_ours_to_judge() -> None:
    recording = Recording()
    recording.events.clear()
    finding = failure(recording.run())
    assert finding is not None
    assert finding.kind == "not-pytorch"


def test_a_script_that_ends_well_has_no_failure() -> None:
    assert failure(Recording().run()) is None


def test_a_launchers_exception_gives_way_to_that_of_its_process() -> None:
    rank = (
        "[rank1]: Traceback (most recent call last):\n"
        '[rank1]:   File "train.py", line 7, in main\n'
        '[rank1]:     raise ValueError("boom")\n[rank1]: ValueError: boom\n'
    )
    launcher = (
        "Traceback (most recent call last):\n"
        '  File "/usr/lib/python3.11/runpy.py", line 198, in _run_module_as_main\n'
        "torch.distributed.elastic.multiprocessing.errors.ChildFailedError: \n"
        "====\ntrain.py FAILED\n"
    )
    finding = failure(Recording().run(exit_code=1, tail=rank + launcher))
    assert finding is not None
    assert (finding.reason, finding.line) == ("The script failed: ValueError: boom", 7)
    alone = failure(Recording().run(exit_code=1, tail=launcher))
    assert alone is not None
    assert alone.reason == "The script failed: ChildFailedError"


@pytest.mark.parametrize(
    ("output", "words"),
    [
        ("F0000 00:00:1763824371.1   99 rendezvous.cc:44] Check failed: a == b\n*** trace\n", "Check failed: a == b"),
        (
            "2026-11-22 15:02:51: F external/parse_flags.cc:234] Unknown flag in XLA_FLAGS: --x=1\n",
            "Unknown flag in XLA",
        ),
        (
            "terminate called after throwing an instance of 'std::bad_alloc'\n  what():  std::bad_alloc\n",
            "std::bad_alloc",
        ),
        ("Fatal Python error: PyThreadState_Get: no lock\nPython runtime state\n", "PyThreadState_Get: no lock"),
        (
            'loc("index/index"): error: slice size (1) is out of bounds for operand dimension (0) at index 0\n'
            'LLVM ERROR: Failed to infer result type(s):\n"stablehlo.gather"(...) {} : () -> ( ??? )\n',
            "slice size (1) is out of bounds",
        ),
        ("epoch 1: loss 0.3\n", ""),
    ],
)
def test_what_native_code_says_before_it_aborts(output: str, words: str) -> None:
    assert words in last_words(output)
    assert bool(words) == bool(last_words(output))
    finding = failure(Recording().run(exit_code=None, signal=6, tail=output))
    assert finding is not None
    assert words in finding.reason
    assert ("smaller batch" in finding.advice) == ("bad_alloc" in words)


@pytest.mark.parametrize(
    ("output", "advice"),
    [
        ('loc("i"): error: slice size (1) is out of bounds for operand dimension (0) at index 0\n', "`len()`"),
        ("E0000 1 4879 execution_engine.cc:54] LLVM compilation error: Cannot allocate memory\n", "max_map_count"),
    ],
)
def test_what_native_code_says_is_known(output: str, advice: str) -> None:
    finding = failure(Recording().run(exit_code=None, signal=11, tail=output))
    assert finding is not None
    assert advice in finding.advice


def test_a_script_that_is_ended_in_the_compiler_is_told_so() -> None:
    recording = Recording()
    recording.events.append(Halted(at(7), compiling=48.0, operations=41022))
    finding = failure(recording.run(exit_code=None, signal=15, timed_out=True))
    assert finding is not None
    assert "XLA had been compiling a graph of 41,022 operations for 48 s" in finding.reason
    assert finding.line == 7


def test_a_script_that_made_its_steps_and_did_not_end_is_judged() -> None:
    recording = Recording().train((1, 1, *[0] * 8)).end("steps")
    recording.events.append(Halted(at(7), over=True))
    run = recording.run(exit_code=None, signal=15, timed_out=True)
    assert failure(run) is None
    verdict = judge(run, Budgets())
    assert (verdict.verdict, one(verdict, "did-not-end").line) == ("pass", 7)


@pytest.mark.parametrize(("number", "name"), [(6, "SIGABRT"), (11, "SIGSEGV")])
def test_what_crashes_once_the_script_is_over_is_judged_and_said(number: int, name: str) -> None:
    recording = Recording().train([1, *[0] * 8]).end()
    verdict = judge(recording.run(exit_code=None, signal=number, tail="terminate called\n"), Budgets())
    assert verdict.verdict == "pass"
    assert name in one(verdict, "crashed-at-end").reason


@pytest.mark.parametrize(("reason", "number"), [("steps", 6), ("exit", 9), (None, 6)])
def test_what_is_killed_before_is_an_error(reason: str | None, number: int) -> None:
    recording = Recording().train([1, 0])
    run = (recording.end(reason) if reason else recording).run(exit_code=None, signal=number)
    assert judge(run, Budgets()).verdict == "error"


@pytest.mark.parametrize(("events", "expected"), [([0] * 8, "error"), ([1] * 8, "fail")])
def test_what_was_not_recorded_is_not_passed_but_what_is_proven_fails(events: list[int], expected: str) -> None:
    recording = Recording().train(events)
    recording.events.append(Lost("3 events could not be written: No space left on device"))
    verdict = judge(recording.run(), Budgets())
    assert verdict.verdict == expected
    assert "No space left on device" in one(verdict, "events-lost").reason

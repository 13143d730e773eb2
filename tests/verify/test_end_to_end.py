"""Small real scripts on XLA:CPU: what verify says of each. Lines are counted with MODEL's 14 in front."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.warm_python import with_torch_xla
from xlaport.verify import Verdict, VerifyRequest, verify

from .recording import found, one

Check = Callable[..., Verdict]


def test_a_good_loop_passes_and_a_log_step_is_a_note(check: Check) -> None:
    verdict = check(
        """\
        MODEL
        for i in range(24):
            loss = train(batch())
            torch_xla.sync()
            if i % 10 == 0:
                print(loss.item())
        """
    )
    assert verdict.verdict == "pass"
    assert verdict.exit_code == 0
    assert (verdict.device, verdict.torch_xla, verdict.steps, verdict.warmup) == ("CPU", "2.9.0", 24, 1)
    assert verdict.compiles.total == 1
    assert verdict.compiles.per_step == (1, *[0] * 23)
    assert set(verdict.executions.per_step) == {1}
    assert verdict.transfers.total == 3
    assert found(verdict, "note") == {("host-read", 19)}


def test_adam_needs_two_warm_up_steps(check: Check) -> None:
    verdict = check(
        """\
        MODEL
        optimizer = torch.optim.Adam(model.parameters())
        for i in range(6):
            loss = train(batch())
            torch_xla.sync()
        """
    )
    assert verdict.verdict == "pass"
    assert verdict.warmup == 2
    assert verdict.compiles.per_step == (1, 1, 0, 0, 0, 0)


def test_item_each_step_without_a_barrier(check: Check) -> None:
    verdict = check(
        """\
        MODEL
        for i in range(8):
            print(train(batch()).item())
        """
    )
    assert verdict.verdict == "fail"
    assert verdict.steps == 8
    assert verdict.compiles.total == 8
    assert found(verdict) == {("no-barrier", 10), ("host-read", 16)}
    assert one(verdict, "no-barrier").rule == "XP201"


def test_no_barrier_at_all(check: Check) -> None:
    verdict = check(
        """\
        MODEL
        for i in range(8):
            train(batch())
        """
    )
    assert verdict.verdict == "fail"
    assert verdict.executions.per_step == (0,) * 8
    assert found(verdict) == {("no-barrier", 10)}
    assert "nothing ran" in one(verdict, "no-barrier").reason


def test_item_before_the_barrier_runs_the_step_as_two_graphs(check: Check) -> None:
    verdict = check(
        """\
        MODEL
        for i in range(8):
            loss = train(batch())
            print(loss.item())
            torch_xla.sync()
        """
    )
    assert verdict.verdict == "fail"
    assert set(verdict.executions.per_step) == {2}
    assert found(verdict) == {("extra-execution", 17), ("host-read", 17)}
    assert one(verdict, "extra-execution").rule == "XP302"


def test_item_after_the_barrier_each_step(check: Check) -> None:
    verdict = check(
        """\
        MODEL
        for i in range(8):
            loss = train(batch())
            torch_xla.sync()
            print(loss.item())
        """
    )
    assert verdict.verdict == "fail"
    assert verdict.transfers.per_step == (1,) * 8
    assert set(verdict.executions.per_step) == {1}
    assert found(verdict) == {("host-read", 18)}
    assert one(verdict, "host-read").rule == "XP301"


def test_a_boolean_mask_makes_a_new_graph_for_each_count(check: Check) -> None:
    verdict = check(
        """\
        MODEL
        for i in range(10):
            x = torch.zeros(16, 8)
            x[: i + 1] = 1
            x = x.to(device)
            x = x[x[:, 0] > 0]
            train(x)
            torch_xla.sync()
        """
    )
    assert verdict.verdict == "fail"
    assert {("fallback", 19), ("recompile", 19)} <= found(verdict)
    recompile = next(item for item in verdict.findings if (item.kind, item.line) == ("recompile", 19))
    assert "`aten::nonzero` (line 19)" in recompile.reason
    assert recompile.rule == "XP401"
    assert ("aten::nonzero", 10) in verdict.fallbacks


def test_growing_shapes_fail_and_a_ragged_last_batch_does_not(check: Check) -> None:
    verdict = check(
        """\
        MODEL
        for i in range(10):
            train(batch(i + 1))
            torch_xla.sync()
        """
    )
    assert verdict.verdict == "fail"
    assert found(verdict) == {("recompile", 13)}
    assert "input 0: f32[3,8] became f32[4,8] at script.py:13, longer every time" in one(verdict, "recompile").reason
    ragged = check(
        """\
        MODEL
        for epoch in range(3):
            for size in (4, 4, 4, 4, 4, 3):
                train(batch(size))
                torch_xla.sync()
        """
    )
    assert ragged.verdict == "pass"
    assert found(ragged, "note") == {("recompile", 13)}
    assert one(ragged, "recompile").steps == (6,)


def test_an_optimizer_built_before_the_model_was_moved_trains_nothing(check: Check) -> None:
    verdict = check(
        """\
        import torch, torch_xla
        device = torch_xla.device()
        model = torch.nn.Linear(8, 2)
        optimizer = torch.optim.AdamW(model.parameters(), lr=0.1)
        model.to(device)
        for i in range(8):
            optimizer.zero_grad()
            loss = model(torch.randn(4, 8).to(device)).pow(2).mean()
            loss.backward()
            optimizer.step()
            torch_xla.sync()
        """
    )
    assert verdict.verdict == "fail"
    assert found(verdict) == {("not-training", 4)}
    assert one(verdict, "not-training").rule == "XP203"
    assert one(verdict, "not-training").path == verdict.findings[0].path


def test_a_learning_rate_of_zero_trains_nothing(check: Check) -> None:
    verdict = check(
        """\
        MODEL
        optimizer = torch.optim.SGD(model.parameters(), lr=0.0)
        for i in range(8):
            train(batch())
            torch_xla.sync()
        """
    )
    assert found(verdict) == {("not-training", 15)}
    assert "the same after" in one(verdict, "not-training").reason
    # The probe's own reads of the parameters are nobody's.
    assert verdict.transfers.total == 0
    assert set(verdict.executions.per_step) == {1}


def test_everything_on_the_cpu(check: Check) -> None:
    verdict = check(
        """\
        import torch
        model = torch.nn.Linear(8, 2)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for i in range(8):
            optimizer.zero_grad()
            model(torch.randn(4, 8)).pow(2).mean().backward()
            optimizer.step()
        """,
        warm=False,
    )
    assert verdict.verdict == "fail"
    assert (verdict.steps, verdict.torch_xla) == (8, None)
    assert found(verdict) == {("nothing-executed", 3)}


def test_a_fallback_in_the_step(check: Check) -> None:
    verdict = check(
        """\
        MODEL
        for i in range(8):
            x = batch()
            x = x + torch.lgamma(x.abs() + 1)
            train(x)
            torch_xla.sync()
        """
    )
    assert verdict.verdict == "fail"
    assert ("fallback", 17) in found(verdict)
    assert verdict.fallbacks == (("aten::lgamma", 8),)
    assert one(verdict, "fallback").rule == "XP411"
    assert not any(item.kind == "host-read" for item in verdict.findings)


def test_a_fallback_in_the_backward_pass_is_laid_to_the_line_that_starts_it(check: Check) -> None:
    verdict = check(
        """\
        MODEL
        scale = torch.nn.Parameter(torch.ones(2, 1, 8, 8).to(device))
        grid = (torch.rand(2, 4, 4, 2) * 2 - 1).to(device)
        for i in range(6):
            train(batch())
            loss = torch.nn.functional.grid_sample(scale, grid, align_corners=False).sum()
            loss.backward()
            torch_xla.sync()
        """
    )
    assert {("fallback", 19), ("fallback", 20)} <= found(verdict)


def test_train_and_eval_loops_each_have_a_warm_up(check: Check) -> None:
    verdict = check(
        """\
        MODEL
        for epoch in range(2):
            for i in range(6):
                train(batch())
                torch_xla.sync()
            correct = torch.zeros((), device=device)
            with torch.no_grad():
                for i in range(4):
                    correct += (model(batch(6)) > 0).sum()
                    torch_xla.sync()
            print(correct.item())
        """
    )
    assert verdict.verdict == "pass"
    assert verdict.steps == 20
    assert verdict.compiles.after_warmup == 0
    assert found(verdict, "note") <= {("host-read", 24)}


def test_loader_workers_mp_device_loader_and_a_main_guard(check: Check) -> None:
    verdict = check(
        """\
        import torch, torch_xla
        import torch_xla.distributed.parallel_loader as pl
        def main():
            device = torch_xla.device()
            data = torch.utils.data.TensorDataset(torch.randn(40, 8))
            loader = torch.utils.data.DataLoader(data, batch_size=4, num_workers=2)
            model = torch.nn.Linear(8, 2).to(device)
            optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
            for epoch in range(2):
                for (x,) in pl.MpDeviceLoader(loader, device):
                    optimizer.zero_grad()
                    model(x).pow(2).mean().backward()
                    optimizer.step()
            torch_xla.sync()
        if __name__ == '__main__':
            main()
        """
    )
    assert verdict.verdict == "pass"
    assert verdict.steps == 20
    assert set(verdict.executions.per_step) == {1}
    # whether two workers keep up with so small a step is up to the machine
    assert {(kind, line) for kind, line in found(verdict, "note") if kind != "starved"} <= {("recompile", 10)}


def test_launch_runs_in_a_process_of_its_own_and_is_stopped_there(check: Check) -> None:
    verdict = check(
        """\
        import torch, torch_xla
        def worker(index, flag):
            device = torch_xla.device()
            model = torch.nn.Linear(8, 2).to(device)
            optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
            for i in range(100):
                optimizer.zero_grad()
                model(torch.randn(4, 8).to(device)).pow(2).mean().backward()
                optimizer.step()
                torch_xla.sync()
        if __name__ == '__main__':
            torch_xla.launch(worker, args=(1,))
        """,
        steps=7,
    )
    assert verdict.verdict == "pass"
    assert verdict.steps == 7


def test_torch_xla_step_and_cleared_metrics(check: Check) -> None:
    verdict = check(
        """\
        MODEL
        import torch_xla.debug.metrics as met
        for i in range(8):
            with torch_xla.step():
                train(batch())
            if i % 3 == 2:
                met.clear_all()
        """
    )
    assert verdict.verdict == "pass"
    assert verdict.steps == 8
    assert verdict.compiles.total == 1
    assert verdict.executions.per_step == (1,) * 8


def test_inference_whose_only_barrier_is_the_read(check: Check) -> None:
    verdict = check(
        """\
        MODEL
        results = []
        with torch.no_grad():
            for i in range(8):
                results.append(model(batch()).cpu())
        """
    )
    assert verdict.verdict == "fail"
    assert verdict.steps == 8
    assert found(verdict) == {("no-barrier", 18), ("host-read", 18)}


def test_torch_compile_is_counted_and_not_cut_in_pieces(check: Check) -> None:
    verdict = check(
        """\
        MODEL
        model = torch.compile(model, backend='openxla')
        for i in range(8):
            train(batch())
            torch_xla.sync()
        """
    )
    assert verdict.verdict == "pass"
    assert verdict.steps == 8
    assert verdict.compiles.after_warmup == 0
    assert {kind for kind, _ in found(verdict, "note")} == {"extra-execution"}


def test_steps_ends_an_inference_loop_without_a_barrier(check: Check) -> None:
    verdict = check(
        """\
        MODEL
        with torch.no_grad():
            while True:
                print(model(batch()).sum().item())
        """,
        steps=6,
        timeout=60,
    )
    assert verdict.steps == 6
    assert ("no-barrier", 17) in found(verdict)


def test_reads_between_a_backward_pass_and_the_step_are_no_steps(check: Check) -> None:
    verdict = check(
        """\
        MODEL
        for i in range(20):
            model(batch()).square().mean().backward()
            for part in range(9):
                for weight in model.parameters():
                    weight.grad.norm().item()
            optimizer.step()
            optimizer.zero_grad()
            torch_xla.sync()
        """,
        steps=8,
    )
    assert verdict.steps == 6  # as many as it takes to judge


def test_reads_of_a_forward_pass_that_is_trained_are_no_steps(check: Check) -> None:
    verdict = check(
        """\
        MODEL
        for i in range(20):
            x = batch()
            for part in range(9):
                assert (model(x) < 1e9).all()
            train(x)
            torch_xla.sync()
        """,
        steps=8,
    )
    assert verdict.steps == 6  # as many as it takes to judge
    assert not any(kind == "no-barrier" for kind, _ in found(verdict))


def test_steps_ends_a_script_that_swallows_the_stop(check: Check) -> None:
    verdict = check(
        """\
        MODEL
        while True:
            try:
                train(batch())
                torch_xla.sync()
            except:
                print('swallowed')
        """,
        steps=6,
        timeout=60,
    )
    assert verdict.verdict == "pass"
    assert verdict.steps in (6, 7)


def test_steps_lets_a_script_clean_up_and_counts_optimizer_steps_without_a_barrier(
    check: Check, tmp_path: Path
) -> None:
    verdict = check(
        """\
        MODEL
        try:
            for i in range(1000):
                print(train(batch()).item())
        finally:
            open('saved', 'w').close()
        """,
        steps=5,
    )
    assert (tmp_path / "saved").exists()
    assert verdict.steps == 5
    assert ("no-barrier", 10) in found(verdict)


def test_steps_of_an_evaluation_do_not_end_a_training_that_has_begun(check: Check) -> None:
    verdict = check(
        """\
        MODEL
        for i in range(1000):
            train(batch())
            torch_xla.sync()
            if i == 0:
                for j in range(40):
                    with torch.no_grad():
                        out = model(batch())
                    torch_xla.sync()
        """,
        steps=10,
    )
    assert verdict.verdict == "pass"
    assert verdict.steps == 45  # the sixth step of the training ends the run before its own barrier


def test_too_few_steps_are_no_pass(check: Check) -> None:
    verdict = check(
        """\
        MODEL
        for i in range(2):
            train(batch())
            torch_xla.sync()
        """
    )
    assert (verdict.verdict, verdict.exit_code) == ("error", 2)
    assert one(verdict, "too-few-steps").line == 17


def test_an_exception_is_reported_with_the_users_line(check: Check) -> None:
    verdict = check(
        """\
        MODEL
        for i in range(6):
            loss = train(batch())
            torch_xla.sync()
            if i == 4:
                train(torch.randn(4, 9).to(device))
        """
    )
    assert (verdict.verdict, verdict.exit_code) == ("error", 2)
    failed = verdict.findings[0]
    assert (failed.kind, failed.line, failed.function) == ("script-failed", 8, "train")
    assert "RuntimeError" in failed.reason
    assert verdict.steps == 5


@pytest.mark.parametrize(
    ("last", "reason"),
    [
        ("import sys; sys.exit(3)", "exited with code 3"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", signal.SIGKILL.name),
        ("def broken(:", "SyntaxError"),
        ("print('no torch here')", "without importing torch"),
        ("import no_such_module_at_all", "No module named"),
    ],
)
def test_scripts_that_never_get_to_a_step(check: Check, last: str, reason: str) -> None:
    verdict = check(last + "\n", warm=False)
    assert verdict.verdict == "error"
    assert reason in verdict.findings[0].reason


def test_a_hanging_script_is_ended_with_all_its_children(tmp_path: Path) -> None:
    script = tmp_path / "hang.py"
    script.write_text(
        "import subprocess, sys, time\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        "open('pid', 'w').write(str(child.pid))\n"
        "time.sleep(600)\n"
    )
    verdict = verify(VerifyRequest(script, timeout=3, directory=tmp_path))
    assert verdict.verdict == "error"
    assert verdict.findings[0].kind == "timeout"
    process = Path("/proc", (tmp_path / "pid").read_text())
    state = (process / "stat").read_text().rsplit(")", 1)[1].split()[0] if process.exists() else "gone"
    assert state in ("gone", "Z")


def test_the_script_sees_what_it_would_see_without_us(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shadowed = tmp_path / "shadowed"
    shadowed.mkdir()
    (shadowed / "sitecustomize.py").write_text("import builtins; builtins.chained = True\n")
    package = tmp_path / "package"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "main.py").write_text(
        "import sys, os, sitecustomize\n"
        "import importlib.util as u\n"
        "print('ARGV', sys.argv[1:], __name__, chained, sitecustomize.__file__)\n"
        "print('SEES', [m for m in ('session', 'hook', 'events', 'judge') if u.find_spec(m)])\n"
        "print('PATH', sys.path)\n"
        "sys.exit(0)\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(shadowed))
    alone = [sys.executable, "-m", "package.main"]
    plain = subprocess.run(alone, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    verify(VerifyRequest("package.main", ("-x", "1"), module=True, directory=tmp_path))
    captured = capfd.readouterr()
    assert captured.out == ""
    assert f"ARGV ['-x', '1'] __main__ True {shadowed / 'sitecustomize.py'}" in captured.err
    assert "SEES []" in captured.err
    (path,) = (line for line in plain.splitlines() if line.startswith("PATH"))
    assert path in captured.err.splitlines()


def test_the_probe_changes_no_count_and_no_value(check: Check, tmp_path: Path) -> None:
    source = """\
        MODEL
        import sys, torch_xla.debug.metrics as met
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for i in range(12):
            loss = train(batch())
            torch_xla.sync()
        counts = [met.counter_value(name) for name in ('UncachedCompile', 'CachedCompile', 'MarkStep')]
        print(loss.item(), counts, file=open(sys.argv[1], 'w'))
        """
    verdict = check(source, "probed")
    subprocess.run(
        [with_torch_xla(), "script.py", "bare"],
        cwd=tmp_path,
        env={**os.environ, "PJRT_DEVICE": "CPU"},
        check=True,
    )
    assert (tmp_path / "probed").read_text() == (tmp_path / "bare").read_text()
    assert (verdict.compiles.total, verdict.steps, verdict.warmup) == (1, 12, 1)


def test_a_graph_that_comes_late_is_explained_with_its_line(check: Check) -> None:
    # By then, torch_xla has been told to remember no more lines: they come from the graph before.
    verdict = check("""\
        MODEL
        for size in [4] * 20 + [3] + [4] * 20:
            train(batch(size))
            torch_xla.sync()
    """)
    finding = one(verdict, "recompile")
    assert (verdict.verdict, finding.severity, finding.line) == ("pass", "note", 13)
    assert re.search(r"input \d+: f32\[4,8\] became f32\[3,8\].* script\.py:\d+", finding.reason)


def test_what_is_asked_of_the_memory_of_a_tpu_has_an_answer_here(check: Check) -> None:
    verdict = check(
        """\
        MODEL
        import torch_xla.core.xla_model as xm
        print(xm.get_memory_info()["bytes_limit"] / 2**30, xm.get_memory_info(device)["bytes_used"])
        for i in range(6):
            train(batch())
            torch_xla.sync()
        """
    )
    assert verdict.verdict == "pass"

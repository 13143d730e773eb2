"""What the judge says of hand-made recordings: the specification of `verify`."""

from __future__ import annotations

from dataclasses import replace

import pytest

from xlaport.verify.events import Boundary, Counts, Pending, Point, Trouble
from xlaport.verify.judge import judge
from xlaport.verify.request import Budgets
from xlaport.verify.verdict import Verdict

from .recording import BACKWARD, BUILT, MOVED, READ, STEP, SYNC, Recording, at, found, one

GOOD = (1, 1, 0, 0, 0, 0, 0, 0)


# --- a good loop


def test_a_loop_that_compiles_in_warm_up_only_passes() -> None:
    verdict = Recording().optimizer().train(GOOD).compared(4).end().verdict()
    assert (verdict.verdict, verdict.exit_code, verdict.findings) == ("pass", 0, ())
    assert (verdict.device, verdict.torch_xla) == ("CPU", "2.9.0")
    assert (verdict.steps, verdict.warmup) == (8, 2)
    assert (verdict.compiles.total, verdict.compiles.after_warmup) == (2, 0)
    assert verdict.compiles.per_step == GOOD
    assert verdict.executions.per_step == (1,) * 8


@pytest.mark.parametrize("warmup", [(1,), (1, 1), (1, 3, 1), (2, 0, 1, 1), ()])
def test_the_warm_up_is_as_long_as_the_loop_needs(warmup: tuple[int, ...]) -> None:
    verdict = Recording().train((*warmup, *[0] * 8)).verdict()
    assert (verdict.verdict, verdict.warmup) == ("pass", len(warmup))


def test_a_run_without_an_end_event_is_judged_all_the_same_and_that_is_said() -> None:
    verdict = judge(Recording().train(GOOD).run(ended=False), Budgets())
    assert verdict.verdict == "pass"
    assert "os._exit" in one(verdict, "no-end").reason
    assert not Recording().train(GOOD).end().verdict().findings


def test_a_steady_inference_loop_passes() -> None:
    assert Recording().evaluate((1, 0, 0, 0, 0)).verdict().verdict == "pass"


# --- how many steps it takes to know


@pytest.mark.parametrize("compiles", [(1,), (1, 1), (1, 0), (1, 1, 0), (1, 3, 1, 0)])
def test_too_few_steps_are_neither_pass_nor_fail(compiles: tuple[int, ...]) -> None:
    verdict = Recording().train(compiles).verdict()
    assert (verdict.verdict, verdict.exit_code) == ("error", 2)
    assert one(verdict, "too-few-steps").advice


@pytest.mark.parametrize("compiles", [(1, 0, 0), (1, 1, 0, 0)])
def test_two_quiet_steps_after_warm_up_are_enough(compiles: tuple[int, ...]) -> None:
    assert Recording().train(compiles).verdict().verdict == "pass"


def test_many_eval_steps_do_not_make_up_for_a_train_loop_that_is_too_short() -> None:
    verdict = Recording().train((1, 1)).evaluate([1, *[0] * 20]).verdict()
    assert verdict.verdict == "error"
    assert one(verdict, "too-few-steps").line == SYNC


def test_a_failure_that_is_proven_needs_no_more_steps() -> None:
    recording = Recording().optimizer(cpu=4, xla=0, gradients=0, step=2).train((1, 0))
    assert recording.verdict().verdict == "fail"


# --- do compilations grow with the steps?


@pytest.mark.parametrize(
    "compiles",
    [
        pytest.param((1,) * 6, id="each step"),
        pytest.param((1, 0) * 6, id="every other step"),
        pytest.param((1, 1, 0, 0, *(0, 0, 1) * 4), id="every third step"),
        pytest.param((1, 1, *([0] * 9 + [1]) * 6), id="every tenth step, on and on"),
        pytest.param((1, 1, *[0] * 15, *[1] * 5), id="from some step on"),
        pytest.param((1, 1, 0, 0, 1, 1), id="the last two of six"),
    ],
)
def test_compiles_that_grow_fail(compiles: tuple[int, ...]) -> None:
    verdict = Recording().train(compiles).verdict()
    assert verdict.verdict == "fail"
    assert found(verdict) == {("recompile", SYNC)}
    assert one(verdict, "recompile").rule == "XP401"


@pytest.mark.parametrize(
    "compiles",
    [
        pytest.param((1, 1, 0, 0, 0, 0, 0, 1), id="ragged last batch of the only epoch"),
        pytest.param((1, 1, 0, 0, 1, *[0] * 10), id="ragged last batch of the first epoch"),
        pytest.param((1, 1, *[0] * 10, 1, 0, 0, 0, 0, 1, *[0] * 10, 1), id="ragged, and a new lr"),
        pytest.param((1, 1, 0, 0, 0, 1, 0, 0, 0), id="RAdam's sixth step"),
        pytest.param((1, 1, 0, 0, 1, 1, 0, 1, 1, *[0] * 12), id="buckets that are used up"),
        pytest.param((1, 1, *[0] * 8, 1, *[0] * 9, *[0] * 20), id="first log step"),
    ],
)
def test_a_bounded_set_of_graphs_is_a_note(compiles: tuple[int, ...]) -> None:
    verdict = Recording().train(compiles).verdict()
    assert verdict.verdict == "pass"
    assert found(verdict, "note") == {("recompile", SYNC)}


def test_a_budget_of_compiles_is_exact() -> None:
    recording = Recording().train((1, 1, 0, 0, 0, 1, 0, 0))
    assert recording.verdict(Budgets(compiles=1)).verdict == "pass"
    assert recording.verdict(Budgets(compiles=0)).verdict == "fail"


def test_a_compile_is_laid_to_the_line_that_ran_the_graph() -> None:
    recording = Recording().train(GOOD)
    for _ in range(8):
        recording.step().read(READ, compiles=1).sync()
    verdict = recording.verdict()
    assert ("recompile", READ) in found(verdict)
    assert ("recompile", SYNC) not in found(verdict)


def test_each_loop_has_a_warm_up_of_its_own() -> None:
    verdict = Recording().train(GOOD).evaluate((1, 0, 0, 0)).train([0] * 8).evaluate([0] * 4).verdict()
    assert (verdict.verdict, verdict.findings) == ("pass", ())
    assert verdict.compiles.total == 3


def test_an_eval_loop_that_never_stops_compiling_fails() -> None:
    verdict = Recording().train(GOOD).evaluate([1] * 8).verdict()
    assert found(verdict) == {("recompile", 60)}


def test_a_short_eval_loop_that_compiled_each_time_is_a_note() -> None:
    verdict = Recording().train(GOOD).evaluate([1] * 3).verdict()
    assert verdict.verdict == "pass"
    assert "too few steps to tell" in one(verdict, "recompile").reason


def test_a_shape_that_depends_on_the_data_is_named_as_the_reason() -> None:
    recording = Recording()
    for _ in range(8):
        recording.fallback("aten::nonzero", 15).step().sync(1)
    assert "`aten::nonzero` (line 15)" in one(recording.verdict(), "recompile").reason


# --- do device-to-host transfers grow with the steps?


def loop_with_reads(every: int, *, pending: bool = False, steps: int = 20) -> Recording:
    recording = Recording()
    for index in range(steps):
        recording.step()
        if pending and index % every == 0:
            recording.read(pending=True)
        recording.sync(int(index < 2))
        if not pending and index % every == 0:
            recording.read()
    return recording


def test_a_read_in_each_step_fails() -> None:
    verdict = loop_with_reads(1).verdict()
    assert found(verdict) == {("host-read", READ)}
    assert verdict.transfers.per_step == (1,) * 20
    assert (one(verdict, "host-read").count, one(verdict, "host-read").rule) == (18, "XP301")


@pytest.mark.parametrize("every", [2, 5, 10])
def test_a_read_in_no_more_than_half_of_the_steps_is_a_note(every: int) -> None:
    verdict = loop_with_reads(every).verdict()
    assert verdict.verdict == "pass"
    assert found(verdict, "note") == {("host-read", READ)}


def test_the_budget_of_transfers_is_a_share_of_the_steps() -> None:
    assert loop_with_reads(1).verdict(Budgets(transfers=1.0)).verdict == "pass"
    assert loop_with_reads(5).verdict(Budgets(transfers=0.1)).verdict == "fail"


def test_reads_that_take_turns_fail_together() -> None:
    recording = Recording().train((1, 1))
    for index in range(12):
        recording.step().sync().read(READ + index % 3)
    assert found(recording.verdict()) == {("host-read", READ), ("host-read", 31), ("host-read", 32)}


def test_a_read_at_the_end_of_each_epoch_is_a_note_even_where_eval_has_one_step() -> None:
    recording = Recording()
    for epoch in range(4):
        recording.train((1, 1, 0, 0, 0) if not epoch else [0] * 5).read()
        recording.evaluate([int(not epoch)])
    verdict = recording.verdict()
    assert verdict.verdict == "pass"
    assert found(verdict, "note") == {("host-read", READ)}


@pytest.mark.parametrize(("steps", "each"), [(2, False), (3, False), (2, True), (1, False)])
def test_a_read_behind_each_pass_is_a_note_however_short_the_passes_are(steps: int, each: bool) -> None:
    recording = Recording()
    for epoch in range(5):
        recording.train((1, 1, 0, 0, 0) if not epoch else [0] * 5)
        for index in range(steps):
            recording.evaluate([int(not epoch and not index)])
            if each or index == steps - 1:
                recording.read()
    # Of one step a pass, nobody can tell whether it is read behind the loop or in it.
    assert found(recording.verdict()) == ({("host-read", READ)} if each or steps == 1 else set())


# --- one graph per step?


def test_a_read_before_the_barrier_in_each_step_fails() -> None:
    verdict = loop_with_reads(1, pending=True).verdict()
    assert found(verdict) == {("extra-execution", READ), ("host-read", READ)}
    assert set(verdict.executions.per_step) == {2}
    assert one(verdict, "extra-execution").rule == "XP302"


def test_a_read_before_the_barrier_in_log_steps_is_a_note() -> None:
    verdict = loop_with_reads(5, pending=True).verdict()
    assert verdict.verdict == "pass"
    assert found(verdict, "note") == {("extra-execution", READ), ("host-read", READ)}


def test_a_read_that_leaves_nothing_for_the_barrier_is_one_graph() -> None:
    recording = Recording()
    for index in range(8):
        recording.read(pending=True, compiles=int(index == 0)).sync(executions=0)
    assert found(recording.verdict()) == {("host-read", READ)}


def test_the_budget_of_executions() -> None:
    recording = loop_with_reads(1, pending=True)
    assert found(recording.verdict(Budgets(executions=2, transfers=1.0))) == set()


def test_graphs_that_no_point_explains_are_those_of_eager_mode() -> None:
    recording = Recording().train((1, 1))
    for _ in range(6):
        recording.step().sync(executions=30)
    verdict = recording.verdict()
    assert found(verdict) == {("extra-execution", SYNC)}
    assert "eager mode" in one(verdict, "extra-execution").advice


def test_the_graphs_of_torch_compile_are_a_note() -> None:
    recording = Recording()
    for index in range(8):
        recording.point("dynamo", 12, Counts(int(index == 0), 2)).step().sync(int(index < 2))
    verdict = recording.verdict()
    assert verdict.verdict == "pass"
    assert found(verdict, "note") == {("extra-execution", 12)}


def test_a_compiled_loop_needs_no_barrier() -> None:
    recording = Recording()
    for index in range(8):
        recording.point("dynamo", 12, Counts(int(index == 0), 1))
    assert (recording.verdict().verdict, recording.verdict().findings) == ("pass", ())


@pytest.mark.parametrize("backwards", [0, 1])  # before the backward pass, or between it and the optimizer's step
def test_a_barrier_in_the_middle_of_the_step_makes_two_executions_of_it(backwards: int) -> None:
    recording = Recording()
    for index in range(8):
        recording.sync(int(index == 0), line=15, backwards=backwards)
        recording.step().sync(int(index < 2), backwards=1 - backwards)
    verdict = recording.verdict()
    assert verdict.verdict == "fail"
    assert found(verdict) == {("extra-barrier", 15)}
    assert "each step runs both" in one(verdict, "extra-barrier").reason
    assert recording.verdict(Budgets(executions=2)).verdict == "pass"


def test_a_barrier_for_the_turn_of_another_model_is_fine() -> None:
    recording = Recording()
    for index in range(8):
        recording.step(line=11, optimizer=1).sync(int(index == 0), line=15, backwards=1)
        recording.step().sync(int(index < 2), backwards=1)
    assert (recording.verdict().verdict, recording.verdict().findings) == ("pass", ())


def test_one_training_step_behind_several_of_acting_is_not_cut() -> None:
    recording = Recording()
    for index in range(8):
        for act in range(4):
            recording.sync(int(index == act == 0), line=15)
        recording.step().sync(int(index < 2), backwards=1)
    assert "extra-barrier" not in {item.kind for item in recording.verdict().findings}


def test_gradient_accumulation_with_a_barrier_per_micro_batch_is_fine() -> None:
    recording = Recording()
    for index in range(16):
        if index % 4 == 3:
            recording.step()
        recording.sync(int(index < 4), backwards=1)
    verdict = recording.verdict()
    assert (verdict.verdict, verdict.findings) == ("pass", ())


def test_gradient_accumulation_whose_last_micro_batch_has_a_barrier_of_its_own_is_fine() -> None:
    recording = Recording()
    for index in range(8):
        for micro in range(3):
            recording.sync(int(index == micro == 0), line=15, backwards=1)
        recording.step().sync(int(index < 2), backwards=1)
    assert (recording.verdict().verdict, recording.verdict().findings) == ("pass", ())


def test_a_step_that_holds_all_its_micro_batches_is_told_what_that_costs() -> None:
    recording = Recording()
    for index in range(8):
        recording.step().sync(int(index < 2), backwards=16)
    verdict = recording.verdict()
    assert verdict.verdict == "pass"
    note = one(verdict, "unrolled")
    assert (note.line, note.seen_at) == (BACKWARD, at(SYNC))
    assert "16 forward and backward passes" in note.reason
    assert "each micro-batch's backward pass" in note.advice


def test_several_optimizer_steps_in_one_graph_are_no_accumulated_batch() -> None:
    recording = Recording()
    for index in range(8):
        recording.step().step().step().sync(int(index < 2), backwards=3)
    assert "unrolled" not in {item.kind for item in recording.verdict().findings}


# --- a loop that nothing cuts


def test_a_sampling_loop_whose_result_is_read_once_has_no_barrier() -> None:
    recording = Recording().read(pending=True, compiles=1, nodes=312)
    read = recording.events[-1]
    assert isinstance(read, Point)
    recording.events[-1] = replace(read, repeats=50, repeated=at(9))
    verdict = recording.verdict()
    assert (verdict.verdict, found(verdict)) == ("fail", {("no-barrier", 9)})
    finding = one(verdict, "no-barrier")
    assert finding.seen_at == at(READ)
    assert "50 iterations" in finding.reason


def test_one_read_of_a_graph_that_repeats_nothing_is_too_little_to_judge() -> None:
    verdict = Recording().read(pending=True, compiles=1, nodes=312).verdict()
    assert (verdict.verdict, found(verdict)) == ("error", {("too-few-steps", None)})


def test_work_that_was_never_run_is_no_model_left_on_the_cpu() -> None:
    recording = Recording()
    recording.events.append(Pending(202, 1, at(9)))
    verdict = recording.verdict()
    assert (verdict.verdict, found(verdict)) == ("fail", {("no-barrier", 9)})
    assert "202 operations were recorded for the TPU and none ran" in one(verdict, "no-barrier").reason


# --- who waits for what is read?


def test_reads_of_the_step_before_are_a_note() -> None:
    recording = Recording()
    for index in range(12):
        recording.step().sync(int(index < 2)).read(overlaps=True)
    verdict = recording.verdict()
    assert (verdict.verdict, found(verdict, "note")) == ("pass", {("host-read", READ)})
    assert "nothing waits for it" in one(verdict, "host-read").reason
    assert (verdict.transfers.after_warmup, verdict.stalling.after_warmup) == (10, 0)


def test_reads_of_a_thread_that_nobody_waits_for_are_a_note_and_are_counted_in_their_steps() -> None:
    recording = Recording()
    for index in range(12):
        recording.step().sync(int(index < 2)).beside(70, overlaps=True)
    verdict = recording.verdict()
    assert (verdict.verdict, found(verdict, "note")) == ("pass", {("host-read", 70)})
    assert verdict.transfers.per_step == (0, *(1,) * 11)
    assert (verdict.transfers.total, verdict.stalling.total) == (12, 0)


def test_one_stalling_read_in_each_step_fails_whatever_overlaps() -> None:
    recording = Recording()
    for index in range(12):
        recording.step().sync(int(index < 2)).read(overlaps=True).read(line=31)
    verdict = recording.verdict()
    assert (found(verdict), found(verdict, "note")) == ({("host-read", 31)}, {("host-read", READ)})


# --- averages behind a loop


def epochs(recording: Recording, nodes: int, offsets: tuple[int, ...]) -> Recording:
    for epoch in range(3):
        for index in range(10):
            recording.step().sync(int(epoch == 0 and index < 2))
        for index in range(4):
            recording.sync(int(epoch == index == 0), line=60)
        for place, offset in enumerate(offsets):
            recording.read(61, pending=True, nodes=nodes, compiles=int(epoch == place == 0), offset=offset)
    return recording


@pytest.mark.parametrize(
    ("nodes", "offsets"),
    [(3, (0, 0, 0)), (3, (4, 8, 12)), (30, (4, 8, 12))],
    ids=["averages in a loop", "averages in one line", "three reads of one line"],
)
def test_meters_that_are_read_behind_their_loop_are_no_loop(nodes: int, offsets: tuple[int, ...]) -> None:
    verdict = epochs(Recording(), nodes, offsets).verdict()
    assert (verdict.verdict, found(verdict)) == ("pass", set())


def test_an_evaluation_that_is_cut_by_its_reads_is_a_loop() -> None:
    assert ("no-barrier", 61) in found(epochs(Recording(), 30, (4,) * 6).verdict())


def checked(plain: bool | None) -> Verdict:
    """A training that looks at each of 20 parameters twice in a run, by reads that compile a graph for each shape."""
    recording = Recording()
    for index in range(12):
        recording.step().sync(int(index < 2))
        for parameter in range(20 if index in (3, 9) else 0):
            is_new = index == 3 and parameter % 2 == 0
            recording.read(61, pending=True, nodes=30, compiles=int(is_new), plain=plain if is_new else None)
    return recording.verdict()


def test_a_check_of_all_parameters_now_and_then_is_no_loop_of_steps() -> None:
    verdict = checked(plain=True)
    assert (verdict.verdict, verdict.steps, found(verdict)) == ("pass", 12, set())
    assert ("host-read", 61) in found(verdict, "note")


@pytest.mark.parametrize("plain", [False, None], ids=["a model", "not looked at"])
def test_a_loop_that_runs_a_model_now_and_then_is_one(plain: bool | None) -> None:
    assert {("host-read", 61), ("no-barrier", 61)} & found(checked(plain))


def test_a_program_that_is_but_such_a_loop_is_judged() -> None:
    recording = Recording()
    for index in range(12):
        recording.read(61, pending=True, nodes=30, compiles=1, plain=True if index < 6 else None)
    verdict = recording.verdict()
    assert (verdict.verdict, verdict.steps) == ("fail", 12)


def test_the_metrics_of_each_batch_of_an_evaluation_are_its_reads() -> None:
    recording = Recording()
    for index in range(8):
        recording.step().sync(int(index < 2))
    for index in range(8):
        for threshold in range(10):
            is_new = index == 0 and not threshold
            recording.read(61, pending=True, nodes=30, compiles=int(is_new), plain=True if is_new else None)
        recording.sync(int(index == 0), line=60)
    verdict = recording.verdict()
    assert ("host-read", 61) in found(verdict)
    assert verdict.steps == 16


# --- a recompile stands on its cause


def test_a_recompile_stands_on_the_line_that_made_the_graph_differ() -> None:
    recording = Recording()
    for index in range(12):
        place = 7 if index % 2 else 8
        recording.step().point("sync", SYNC, Counts(1, 1, nodes=50), place=place if index else None).sync(0, 0)
    verdict = recording.verdict()
    assert found(verdict) == {("recompile", 7), ("recompile", 8)}
    assert {item.seen_at for item in verdict.findings} == {at(SYNC)}
    assert sum(item.count for item in verdict.findings) == verdict.compiles.after_warmup


# --- is there a barrier?


def test_no_barrier_with_a_read_in_each_step() -> None:
    recording = Recording().optimizer()
    for _ in range(8):
        recording.step().read(compiles=1)
    verdict = recording.verdict()
    assert found(verdict) == {("no-barrier", STEP), ("host-read", READ)}
    assert one(verdict, "no-barrier").rule == "XP201"
    assert verdict.steps == 8


def test_no_barrier_and_nothing_run() -> None:
    recording = Recording().optimizer()
    for _ in range(8):
        recording.step()
    verdict = recording.end().verdict()
    assert found(verdict) == {("no-barrier", STEP)}


def test_of_two_optimizers_the_busier_one_makes_the_steps() -> None:
    recording = Recording().optimizer()
    for index in range(12):
        recording.step(optimizer=0)
        if index % 3 == 0:
            recording.step(optimizer=1)
    assert recording.verdict().steps == 12


def test_one_barrier_before_the_loop_is_no_barrier_in_it() -> None:
    recording = Recording().optimizer().sync(1, line=8)
    for _ in range(8):
        recording.step().read(compiles=1)
    verdict = recording.verdict()
    assert ("no-barrier", STEP) in found(verdict)
    assert "1 `torch_xla.sync()` in 8 training steps" in one(verdict, "no-barrier").reason


def test_a_train_loop_without_a_barrier_is_not_saved_by_the_one_of_the_eval_loop() -> None:
    recording = Recording().optimizer()
    for epoch in range(3):
        for _ in range(20):
            recording.step()
        recording.evaluate([int(epoch == 0), *[int(epoch == 0), *[0] * 5]])
    assert ("no-barrier", STEP) in found(recording.verdict())


def test_one_large_graph_of_many_steps_is_a_note_if_it_is_steady() -> None:
    recording = Recording().optimizer()
    for index in range(8):
        for _ in range(12):
            recording.step()
        recording.sync(int(index < 2))
    verdict = recording.verdict()
    assert verdict.verdict == "pass"
    assert found(verdict, "note") == {("no-barrier", STEP)}


def test_an_inference_loop_that_reads_each_result_and_has_no_barrier() -> None:
    recording = Recording()
    for index in range(6):
        recording.read(pending=True, compiles=int(index == 0))
    verdict = recording.verdict()
    assert verdict.steps == 6
    assert found(verdict) == {("no-barrier", READ), ("host-read", READ)}


def test_an_eval_loop_without_a_barrier_is_found_behind_a_good_train_loop() -> None:
    recording = Recording()
    for epoch in range(2):
        recording.train(GOOD if not epoch else [0] * 8)
        for _ in range(5):
            recording.read(40, pending=True).read(42, pending=True)
    verdict = recording.verdict()
    assert {("no-barrier", 42), ("host-read", 40), ("host-read", 42), ("extra-execution", 40)} == found(verdict)
    assert verdict.steps == 8 + 5 + 8 + 5


def test_a_library_that_reads_a_few_times_in_one_call_is_no_loop() -> None:
    recording = Recording().train(GOOD)
    for _ in range(5):
        recording.read(40, pending=True, direct=False)
    verdict = recording.train([0] * 4).verdict()
    assert (verdict.verdict, verdict.steps) == ("pass", 12)
    assert found(verdict, "note") == {("host-read", 40), ("extra-execution", 40)}


def test_reads_in_a_loop_within_each_step_are_a_part_of_the_step() -> None:
    recording = Recording()
    for index in range(8):
        recording.step()
        for _ in range(4):
            recording.read(pending=True)
        recording.sync(int(index < 2))
    verdict = recording.verdict()
    assert verdict.steps == 8
    assert found(verdict) == {("extra-execution", READ), ("host-read", READ)}


def test_more_reads_in_the_first_of_these_steps_are_no_loop_of_their_own() -> None:
    """ASGD makes numbers of its state for each parameter in its first step, and of some of it in the others."""
    recording = Recording()
    for index in range(8):
        recording.step()
        for _ in range(2 if index else 6):
            recording.read(pending=True)
        recording.sync(int(index < 2))
    verdict = recording.verdict()
    assert verdict.steps == 8
    assert found(verdict) == {("extra-execution", READ), ("host-read", READ)}


# --- is every op lowered?


def loop_with_fallback(op: str, every: int = 1, device: str = "CPU") -> Recording:
    recording = Recording(device=device)
    for index in range(12):
        if index % every == 0:
            recording.fallback(op)
        recording.step().sync(int(index < 2))
    return recording


def test_a_fallback_in_each_step_fails_and_its_transfer_is_not_a_host_read_as_well() -> None:
    verdict = loop_with_fallback("aten::lgamma").verdict()
    assert found(verdict) == {("fallback", READ)}
    assert verdict.fallbacks == (("aten::lgamma", 12),)
    assert one(verdict, "fallback").rule == "XP411"


def test_a_fallback_may_be_allowed() -> None:
    verdict = loop_with_fallback("aten::lgamma").verdict(Budgets(fallbacks=frozenset({"aten::lgamma"})))
    assert verdict.verdict == "pass"
    assert found(verdict, "note") == {("fallback", READ)}


def test_a_fallback_in_a_log_step_is_a_note() -> None:
    assert loop_with_fallback("aten::lgamma", every=4).verdict().verdict == "pass"


def test_a_fallback_of_the_cpu_backend_only_is_as_if_it_had_not_been() -> None:
    op = "aten::upsample_nearest2d_backward"
    verdict = loop_with_fallback(op).verdict()
    assert (verdict.verdict, verdict.findings, verdict.fallbacks) == ("pass", (), ())
    assert set(verdict.executions.per_step) == {1}
    assert verdict.transfers.total == 0
    assert loop_with_fallback(op, device="TPU").verdict().verdict == "fail"


# --- does it run on XLA, and train?


def test_an_optimizer_whose_parameters_never_get_a_gradient() -> None:
    recording = Recording().optimizer(cpu=4, xla=0, gradients=0).train(GOOD)
    verdict = recording.optimizer(cpu=4, xla=0, gradients=0, step=10).verdict()
    assert found(verdict) == {("not-training", BUILT)}
    assert "on the CPU" in one(verdict, "not-training").reason
    assert one(verdict, "not-training").rule == "XP203"


def test_parameters_without_a_gradient_in_the_first_step_only_are_fine() -> None:
    recording = Recording().optimizer(gradients=0).optimizer(gradients=3, step=2).train(GOOD)
    assert recording.verdict().verdict == "pass"


def test_parameters_that_never_change() -> None:
    recording = Recording().optimizer().train(GOOD)
    assert found(recording.compared(0).verdict()) == {("not-training", BUILT)}
    assert recording.verdict(Budgets(training=False)).verdict == "pass"


def test_a_model_that_moved_in_the_middle_of_the_run_is_trained_no_more() -> None:
    recording = Recording().optimizer().train(GOOD).compared(4, step=3).left_behind("moved", lost=2)
    verdict = recording.left_behind("moved").verdict()
    assert found(verdict) == {("not-training", MOVED)}
    finding = one(verdict, "not-training")
    assert finding.reason.startswith("From its step 6 on, Adam does not train its model (5 steps): moving ")
    assert "model.state_dict().items()}" in finding.advice
    assert (finding.count, finding.rule) == (5, "XP208")
    assert recording.verdict(Budgets(training=False)).verdict == "pass"


def test_a_part_that_moved_behind_the_optimizer_is_not_trained() -> None:
    recording = Recording().optimizer(gradients=2).train(GOOD).left_behind("moved", 2, since=1)
    finding = one(recording.verdict(), "not-training")
    assert (finding.severity, finding.line, finding.rule) == ("fail", MOVED, "XP203")
    assert "does not train 2 of its 4 parameters" in finding.reason
    assert finding.advice == "Build the optimizer after `model.to(torch_xla.device())`."


def test_an_assigned_parameter_of_several_may_be_meant_so() -> None:
    recording = Recording().optimizer().train(GOOD)
    assert recording.left_behind("set", 1).verdict().verdict == "pass"
    assert found(recording.verdict(), "note") == {("not-training", MOVED)}
    assert found(recording.left_behind("set").verdict()) == {("not-training", MOVED)}


def test_a_model_that_is_built_again_is_not_trained() -> None:
    recording = Recording().optimizer().train(GOOD).left_behind("rebuilt")
    assert found(recording.verdict()) == {("not-training", BUILT)}


def test_one_step_between_a_move_and_a_new_optimizer_is_nothing() -> None:
    assert Recording().optimizer().train(GOOD).left_behind("moved", lost=1).verdict().findings == ()


def test_what_never_got_a_gradient_is_told_once() -> None:
    recording = Recording().optimizer(cpu=4, xla=0, gradients=0).train(GOOD).left_behind("moved", since=1)
    verdict = recording.optimizer(cpu=4, xla=0, gradients=0, step=10).verdict()
    assert found(verdict) == {("not-training", BUILT)}


def test_parameters_that_changed_late_are_fine() -> None:
    recording = Recording().optimizer().train(GOOD).compared(0, step=3).compared(2, step=5)
    assert recording.verdict().verdict == "pass"


def test_a_script_that_never_imports_torch_xla() -> None:
    recording = Recording("torch").optimizer(cpu=4, xla=0)
    for _ in range(5):
        recording.step()
    verdict = recording.verdict()
    assert (verdict.verdict, verdict.torch_xla) == ("fail", None)
    assert "never imports torch_xla" in one(verdict, "nothing-executed").reason


def test_a_model_that_was_left_on_the_cpu() -> None:
    recording = Recording().optimizer(cpu=4, xla=0)
    for _ in range(5):
        recording.step()
    assert found(recording.verdict()) == {("nothing-executed", BUILT)}
    assert found(recording.train(GOOD).verdict()) == {("nothing-executed", BUILT)}


def test_torch_xla_imported_and_nothing_done_with_it() -> None:
    assert found(Recording().verdict()) == {("nothing-executed", None)}


# --- a script that fails


def test_an_exception_is_an_error_and_the_counts_are_kept() -> None:
    run = Recording().train(GOOD).run(exit_code=1, tail="Traceback (most recent call last):\nValueError: no\n")
    verdict = judge(run, Budgets())
    assert (verdict.verdict, verdict.exit_code, verdict.steps) == ("error", 2, 8)
    assert verdict.findings[0].reason == "The script failed: ValueError: no"


def test_a_timeout_is_an_error_unless_a_failure_is_proven() -> None:
    assert judge(Recording().train(GOOD).run(timed_out=True), Budgets()).verdict == "error"
    proven = judge(Recording().train([1] * 9).run(timed_out=True, exit_code=None, signal=9), Budgets())
    assert proven.verdict == "fail"
    assert {("recompile", SYNC)} == found(proven)
    assert ("timeout", SYNC) in found(proven, "note")


def test_a_timeout_before_the_first_step_says_nothing_of_the_device() -> None:
    verdict = judge(Recording().run(timed_out=True), Budgets())
    assert found(verdict) == {("timeout", None)}


def test_the_exit_code_of_a_script_that_we_stopped_does_not_matter() -> None:
    assert judge(Recording().train(GOOD).end("steps").run(exit_code=1), Budgets()).verdict == "pass"


def test_a_probe_that_could_not_count_is_an_error() -> None:
    recording = Recording()
    recording.events.append(Trouble("install: AttributeError: _xla_step_marker"))
    verdict = recording.verdict()
    assert verdict.verdict == "error"
    assert one(verdict, "probe-failed")


def test_what_the_probe_missed_is_said() -> None:
    recording = Recording().train(GOOD)
    recording.events.append(Trouble("_record: KeyError: 1"))
    assert recording.verdict().verdict == "pass"
    assert found(recording.verdict(), "note") == {("probe", None)}


def test_counters_that_no_point_has_seen_still_count() -> None:
    recording = Recording().train(GOOD)
    recording.totals = recording.totals + Counts(1, 0, 3, 10, {"aten::tril_indices": 1})
    verdict = recording.train([0, 0]).end().verdict()
    assert (verdict.compiles.total, verdict.transfers.total) == (3, 3)
    assert found(verdict, "note") == {("recompile", SYNC), ("fallback", None)}


# --- threads beside the loop


def test_a_thread_that_reads_as_often_as_the_loop_steps_is_named_and_is_in_no_step() -> None:
    recording = Recording()
    for count in GOOD:
        recording.beside(70).beside(70).step().sync(count)
    verdict = recording.verdict()
    assert found(verdict) == {("host-read", 70)}
    assert one(verdict, "host-read").count == 16
    assert verdict.executions.per_step == (1,) * 8
    assert verdict.transfers.total == 16


def test_reads_of_a_loader_that_runs_ahead_count_as_much_as_those_beside_the_steps() -> None:
    recording = Recording()
    for _ in range(8):
        recording.beside(70)
    assert found(recording.train(GOOD).verdict()) == {("host-read", 70)}


def test_a_thread_that_reads_now_and_then_is_a_note() -> None:
    verdict = Recording().train(GOOD).beside(70).train((0,) * 8).beside(70).verdict()
    assert verdict.verdict == "pass"
    assert found(verdict, "note") == {("host-read", 70)}


def test_a_fallback_in_a_thread_is_one_as_elsewhere() -> None:
    recording = Recording()
    for count in GOOD:
        recording.beside(70, op="aten::qr").step().sync(count)
    assert found(recording.verdict()) == {("fallback", 70)}
    allowed = recording.verdict(Budgets(fallbacks=frozenset({"aten::qr"})))
    assert allowed.verdict == "pass"


def test_the_thread_of_a_replica_is_the_loop_itself() -> None:
    recording = Recording()
    for count in GOOD:
        recording.step().sync(count).beside(READ, thread=7)
    recording.events = [replace(e, thread=7) if isinstance(e, Boundary) else e for e in recording.events]
    verdict = recording.verdict()
    assert found(verdict) == {("host-read", READ), ("extra-execution", READ)}


def test_a_loop_without_a_barrier_whose_graph_grows_compiles_for_that_alone() -> None:
    recording = Recording()
    for step in range(8):
        recording.point("read", READ, Counts(1, 1, 1, 30 + 10 * step))
    verdict = recording.verdict()
    assert found(verdict) == {("no-barrier", READ), ("host-read", READ)}
    assert "from 50 to 100 nodes" in one(verdict, "no-barrier").reason


def test_a_transfer_that_is_counted_in_a_barrier_is_none_of_its_own() -> None:
    recording = Recording()
    for count in (1, 0, 0, 0, 0, 0):
        recording.step().sync(count).point("sync", SYNC, Counts(0, 0, 1))
    assert not any(item.kind == "host-read" for item in recording.verdict().findings)


def test_a_run_that_ends_in_its_first_step_has_not_shown_that_there_is_no_barrier() -> None:
    first = Recording().optimizer().step()
    result = judge(first.run(timed_out=True), Budgets())
    assert (result.verdict, found(result)) == ("error", {("timeout", STEP)})
    assert found(judge(first.step().run(timed_out=True), Budgets())) == {("no-barrier", STEP)}

"""What the comparison of two recorded runs says. The runs are made by hand: losses, gradients, parameters."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from xlaport.report.verdict_json import as_json
from xlaport.report.verdict_text import as_text
from xlaport.verify import Against, Stopped, VerifyRequest, verify
from xlaport.verify.events import Event, LossSeen, Noticed, ParameterSeen, StepSeen, Trace, decode, encode
from xlaport.verify.launch import Interrupted, Run
from xlaport.verify.parity import compare
from xlaport.verify.verdict import Parity, Series, Verdict, VerdictFinding

from .recording import HERE, Recording, at, one

BACKWARD, STEP = 12, 13
RTOL = 1e-3
LOSSES = (2.3, 2.1, 1.9, 1.6, 1.5, 1.4)
GRADIENTS = (4.0, 3.5, 3.25, 3.0, 2.75, 2.5)
START, END = (0.5, -0.25, 1.0), (0.25, -0.5, 1.25)


def parameter(place: int, values: Sequence[float], *, end: bool, shape: tuple[int, ...] = (3,)) -> ParameterSeen:
    norm = sum(value * value for value in values) ** 0.5
    return ParameterSeen(0, place, f"layer{place}.weight", shape, "float32", norm, tuple(values), end)


def training(
    losses: Sequence[float] = LOSSES,
    gradients: Sequence[float] = GRADIENTS,
    *,
    passes: int = 1,
    draws: Mapping[int, int] | None = None,
    with_gradient: int = 2,
    start: Sequence[Sequence[float]] = (START, START),
    end: Sequence[Sequence[float]] = (END, END),
    noticed: Sequence[Noticed] = (),
    dtype: str = "float32",
) -> Trace:
    """A run of as many steps as there are gradients; `draws`: the state of torch's generator by step."""
    events: list[Event] = list(noticed)
    for number, loss in enumerate(losses):
        events.append(LossSeen(number + 1, number // passes + 1, loss, dtype, at(BACKWARD)))
    for number, gradient in enumerate(gradients, 1):
        generators = {"torch": (draws or {}).get(number, number), "random": 7}
        events.append(StepSeen(number, 0, gradient, len(start), with_gradient, generators, at(STEP)))
    events += [parameter(place, values, end=False) for place, values in enumerate(start)]
    events += [parameter(place, values, end=True) for place, values in enumerate(end)]
    return Trace(1, tuple(events))


def said(
    port: Trace, original: Trace | None = None, rounding: Trace | None = None
) -> tuple[Parity, list[VerdictFinding]]:
    parity, findings = compare(original or training(), port, RTOL, "cuda.py", rounding)
    fails = [item for item in findings if item.severity == "fail"]
    assert bool(fails) == (parity.verdict != "pass")
    assert {item.kind for item in findings} <= {"parity"}
    return parity, fails or findings


def changed(values: Sequence[float], step: int, factor: float) -> tuple[float, ...]:
    return tuple(value * factor if number >= step else value for number, value in enumerate(values, 1))


def test_the_same_run_passes() -> None:
    parity, findings = said(training())
    assert (parity.verdict, parity.steps, parity.parted, findings) == ("pass", 6, None, [])
    assert [item.what for item in parity.figures[:4]] == ["loss", "gradient norm"] * 2


@pytest.mark.parametrize(
    ("step", "apart", "parts"), [(1, 5e-6, False), (1, 3e-5, True), (4, 5e-5, False), (4, 3e-4, True)]
)
def test_the_first_step_is_held_to_a_hundredth_of_the_tolerance_and_the_next_ones_to_a_tenth(
    step: int, apart: float, parts: bool
) -> None:
    parity, _ = said(training(changed(LOSSES, step, 1 + apart)))
    assert parity.parted == (step if parts else None)


def test_a_loss_that_parts_first_is_named_with_its_step_line_and_values() -> None:
    parity, (finding,) = said(training(changed(LOSSES, 4, 1.07)))
    assert (parity.verdict, parity.parted) == ("fail", 4)
    assert (finding.line, finding.function, finding.steps) == (BACKWARD, "train", (4,))
    assert "Losses differ in step 4 (original 1.6, port 1.712;" in finding.reason
    assert "gradients of step 3 still agree" in finding.reason
    assert "learning rate" in finding.advice


def test_gradients_that_part_while_the_losses_agree() -> None:
    parity, (finding,) = said(training(gradients=changed(GRADIENTS, 2, 1.3)))
    assert (parity.parted, finding.line) == (2, STEP)
    assert "between `backward()` and `step()`" in finding.reason


@pytest.mark.parametrize(("factor", "words"), [(4, "4 times"), (0.125, "1/8 times"), (1.37, "1.37 times")])
def test_a_loss_that_is_scaled_is_told_from_one_that_is_another(factor: float, words: str) -> None:
    port = training(changed(LOSSES, 1, factor), changed(GRADIENTS, 1, factor))
    _, (finding,) = said(port)
    assert f"the port's loss is {words} the original's" in finding.reason
    assert "accumulation steps" in finding.advice


def test_a_factor_that_nobody_writes_and_the_gradients_do_not_have_is_another_loss() -> None:
    _, (finding,) = said(training(changed(LOSSES, 1, 1.37)))
    assert "the batch or the forward pass differs" in finding.reason


def test_losses_and_gradients_that_part_by_a_thousandth_are_not_scaled() -> None:
    _, (finding,) = said(training(changed(LOSSES, 2, 1.003), changed(GRADIENTS, 2, 1.003)))
    assert "times the original's" not in finding.reason


def test_gradients_that_are_0_but_for_rounding_are_alike() -> None:
    tiny = [8e-7] * 6
    parity, found = said(training(gradients=changed(tiny, 1, 9.0)), training(gradients=tiny))
    assert (parity.verdict, found) == ("pass", [])
    parity, _ = said(training(gradients=changed(tiny, 1, 1e3)), training(gradients=tiny))
    assert parity.verdict == "fail"


def test_gradients_scaled_behind_the_loss() -> None:
    _, (finding,) = said(training(gradients=changed(GRADIENTS, 1, 2.0)))
    assert "the gradients are 2 times the original's" in finding.reason


def test_other_random_numbers_are_named_as_the_reason() -> None:
    parity, (finding,) = said(training(changed(LOSSES, 3, 1.1), draws={2: 99, 3: 98}))
    assert (parity.verdict, parity.parted) == ("fail", 3)
    assert "by step 2, torch's CPU generator had drawn other numbers in the port" in finding.reason


def test_other_masks_prove_nothing_while_dropout_is_on() -> None:
    on, off = Noticed("dropout", "on", at(9)), Noticed("dropout", "off", at(9))
    parity, (finding,) = said(training(changed(LOSSES, 1, 1.1), draws={1: 99}, noticed=[on]))
    assert (parity.verdict, finding.line) == ("error", 9)
    assert finding.advice == "Compare without dropout: `--no-dropout`. Padded batches, for one, draw other masks."
    parity, _ = said(training(changed(LOSSES, 1, 1.1), draws={1: 99}, noticed=[off]))
    assert parity.verdict == "fail"


def test_an_optimizer_whose_parameters_have_no_gradient() -> None:
    parity, (finding,) = said(training(changed(LOSSES, 2, 1.2), [0.0] * 6, with_gradient=0))
    assert parity.parted == 1
    assert "In step 1, none of the port's 2 parameters has a gradient" in finding.reason
    assert "holds those from before `model.to()`" in finding.reason
    assert (finding.line, finding.rule) == (STEP, "XP203")


def test_a_tie_that_is_lost_names_the_two_that_begin_alike() -> None:
    original = training(start=(START, (2.0, 3.0, 4.0)), end=(END, (1.0, 1.0, 1.0)))
    port = training(
        gradients=changed(GRADIENTS, 1, 0.9),
        start=(START, (2.0, 3.0, 4.0), START),
        end=(END, (1.0, 1.0, 1.0), END),
        with_gradient=3,
    )
    parity, (finding,) = said(port, original)
    assert parity.verdict == "fail"
    assert "hold 3 parameters, the original's 2: 1 more ([3])" in finding.reason
    assert "layer0.weight and layer2.weight start alike" in finding.reason
    assert "from step 1 on, gradient norms differ (original 4, port 3.6)" in finding.reason
    assert "Tie the weights again" in finding.advice


def test_weights_that_differ_before_the_first_step() -> None:
    _, (finding,) = said(training(changed(LOSSES, 1, 1.3), start=(START, (0.5, -0.25, 1.1))))
    assert "1 parameters differ before the first step: layer1.weight" in finding.reason
    assert "from step 1 on, losses differ" in finding.reason


def test_another_number_of_backward_passes_in_a_step() -> None:
    losses = [loss for loss in LOSSES for _ in range(2)]
    parity, (finding,) = said(training(), training(losses, passes=2))
    assert parity.parted == 1
    assert "Step 1 of the port has 1 backward pass, that of the original 2" in finding.reason


def test_parameters_that_differ_only_at_the_end_and_those_that_stood_still() -> None:
    _, (still,) = said(training(end=(END, START)))
    assert "layer1.weight" in still.reason
    assert "stay as they were in the port" in still.reason
    _, (differ,) = said(training(end=((0.25, -0.5, 1.3), END)))
    assert "1 parameters differ after the last step: layer0.weight" in differ.reason


def test_a_parameter_that_stood_still_where_the_original_moves_it_by_rounding_alone() -> None:
    port, elsewhere = training(end=(END, START)), (0.6, 0.1, 0.9)
    assert said(port, rounding=training(end=(END, elsewhere)))[0].verdict == "pass"
    _, (still,) = said(port, rounding=training(end=(END, (0.25001, -0.5, 1.25))))
    assert "stay as they were in the port" in still.reason


@pytest.mark.parametrize(("other", "agrees"), [(0.0015, True), (-0.001, True), (0.1, False), (0.5, False)])
def test_a_bias_that_has_come_near_0_is_measured_by_its_way(other: float, agrees: bool) -> None:
    start, end = ((0.5,), START), ((0.001,), END)
    parity, _ = said(training(start=start, end=((other,), END)), training(start=start, end=end))
    assert (parity.verdict == "pass") is agrees


def test_lower_precision_in_the_port_alone() -> None:
    autocast = Noticed("autocast", "bfloat16", at(8))
    port = training(changed(LOSSES, 1, 1.002), noticed=[autocast])
    _, (finding,) = said(port)
    assert "the port computes under autocast (bfloat16), the original does not" in finding.reason
    _, (finding,) = said(training(changed(LOSSES, 1, 1.05), dtype="bfloat16"))
    assert "the loss is bfloat16 in the port and float32 in the original" in finding.reason
    halved = training()
    low = tuple(replace(e, dtype="bfloat16") if isinstance(e, ParameterSeen) else e for e in halved.events)
    _, (finding,) = said(Trace(1, low))
    assert "trains bfloat16 parameters, and the original's are float32" in finding.reason


def test_autocast_in_both_is_a_note() -> None:
    autocast = [Noticed("autocast", "float16", at(8))]
    parity, (note,) = said(training(noticed=autocast), training(noticed=autocast))
    assert (parity.verdict, note.severity) == ("pass", "note")
    assert "Both ran in float32" in note.reason


def test_what_a_rounding_does_to_the_original_is_allowed_to_the_port() -> None:
    port, rounding = training(changed(LOSSES, 4, 1.01)), training(changed(LOSSES, 5, 1.004))
    assert said(port)[0].verdict == "fail"
    parity, (note,) = said(port, rounding=rounding)
    assert (parity.verdict, note.severity) == ("pass", "note")
    assert "Rounding grows in this training, to 0.01 apart" in note.reason
    assert said(training(changed(LOSSES, 4, 1.3)), rounding=rounding)[0].verdict == "fail"


def test_a_loss_near_zero_is_measured_by_the_others() -> None:
    near = (*LOSSES[:3], 1e-7, *LOSSES[4:])
    assert said(training((*LOSSES[:3], 3e-7, *LOSSES[4:])), training(near))[0].verdict == "pass"


def test_no_number_in_both_is_the_same_and_in_one_is_not() -> None:
    nan = (*LOSSES[:5], float("nan"))
    assert said(training(nan), training(nan))[0].verdict == "pass"
    assert said(training(nan))[0].parted == 6


def test_fewer_steps_are_another_training_and_none_at_all_cannot_be_compared() -> None:
    parity, (finding,) = said(training(LOSSES[:4], GRADIENTS[:4]))
    assert (parity.verdict, parity.steps, finding.steps) == ("fail", 4, (5,))
    assert "The original makes 6 optimizer steps, the port 4; those that both make agree" in finding.reason
    assert said(Trace(1, ()))[0].verdict == "fail"
    assert said(Trace(1, ()), Trace(1, ()))[0].verdict == "error"
    assert said(training(), Trace(1, ()))[0].verdict == "error"


def test_events_survive_their_file() -> None:
    for event in training(noticed=[Noticed("dropout", "on", None)]).events:
        assert decode(encode(event)) == event


def test_the_report_has_the_first_steps_and_the_one_that_parts() -> None:
    parity, findings = compare(training(), training(changed(LOSSES, 5, 1.07)), RTOL, "cuda.py")
    ran = Series(6, 4, (1,) * 6)
    verdict = Verdict("fail", "CPU", "2.9.0", 6, 2, executions=ran, findings=tuple(findings), parity=parity)
    text = as_text(verdict, HERE)
    assert "no   does it train as the original does?        they differ in step 5 of 6" in text
    assert [line.split()[:2] for line in text.splitlines() if line.split()[1:2] == ["loss"]] == [
        [str(step), "loss"] for step in (1, 2, 4, 5, 6)
    ]
    (here,) = [line for line in text.splitlines() if line.endswith("<- here")]
    assert here.split() == ["5", "loss", "1.5", "1.605", "7e-02", "1e-04", "<-", "here"]
    data = json.loads(as_json(verdict, HERE))["parity"]
    assert (data["verdict"], data["parted"], len(data["figures"])) == ("fail", 5, 12)


def test_an_interrupt_of_the_comparison_keeps_what_was_judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    judged = Recording().train([1, 0, 0, 0, 0, 0]).run()

    def interrupted(request: VerifyRequest, events: Path) -> Run:
        raise Interrupted(judged)

    monkeypatch.setattr("xlaport.verify.run", lambda request, events: judged)
    monkeypatch.setattr("xlaport.verify.parity_run.run", interrupted)
    (tmp_path / "cuda.py").touch()
    with pytest.raises(Stopped) as stopped:
        verify(VerifyRequest("train.py", directory=tmp_path, against=Against(Path("cuda.py"))))
    verdict = stopped.value.verdict
    assert (verdict.verdict, verdict.steps) == ("error", 6)
    assert one(verdict, "parity").reason == "The comparison with the original, cuda.py, was interrupted"


def without_optimizer(losses: Sequence[float], *, failed: str = "") -> Trace:
    """A run that updates its weights by itself."""
    events: list[Event] = [LossSeen(n, 1, loss, "float32", at(BACKWARD)) for n, loss in enumerate(losses, 1)]
    return Trace(1, (*events, *([Noticed("failed", failed, None)] if failed else [])))


def test_without_an_optimizer_each_backward_pass_is_a_step() -> None:
    parity, findings = said(without_optimizer(LOSSES), without_optimizer(LOSSES))
    assert (parity.verdict, parity.steps, findings) == ("pass", 6, [])
    parity, (finding,) = said(without_optimizer(changed(LOSSES, 4, 1.07)), without_optimizer(LOSSES))
    assert (parity.verdict, parity.parted, finding.line) == ("fail", 4, BACKWARD)


def test_an_original_that_fails_behind_its_training_is_compared_up_to_there() -> None:
    parity, (note,) = said(without_optimizer(LOSSES), without_optimizer(LOSSES[:5], failed="UnpicklingError"))
    assert (parity.verdict, parity.steps) == ("pass", 5)
    assert "fails behind its training" in note.reason
    assert "UnpicklingError" in note.reason
    parity, _ = said(without_optimizer(changed(LOSSES, 4, 1.07)), without_optimizer(LOSSES[:5], failed="x"))
    assert parity.verdict == "fail"

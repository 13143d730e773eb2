"""What the comparison says of outputs: lines printed, texts and values saved. The runs are made by hand."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from xlaport.verify.events import Counts, End, Event, FileSeen, LineSeen, Noticed, Trace, ValueSeen, decode, encode
from xlaport.verify.parity import compare
from xlaport.verify.parity_text import parsed
from xlaport.verify.verdict import VerdictFinding

from .recording import at
from .test_parity import LOSSES, changed, training

PRINT, SAVE = 21, 22
APART = changed(LOSSES, 1, 1 + 4e-6)
"""Losses that are apart by more than a rounding, within what is allowed to a first step."""


def printing(
    *lines: str, step: int = 6, path: str = "", losses: Sequence[float] = LOSSES, reason: str = "exit"
) -> Trace:
    """A run that prints these lines behind its last step, or writes them into a file."""
    seen: list[Event] = [LineSeen(text, step, at(PRINT), path) for text in lines]
    return Trace(1, (*training(losses).events, *seen, End(reason, Counts())))


def saving(
    values: Sequence[float], *, key: str = "model/other", step: int = 6, shape: Sequence[int] | None = None
) -> Trace:
    """A run that saves a tensor, or a number where it has one element and no shape."""
    norm = sum(value * value for value in values) ** 0.5
    kept = ValueSeen(
        "last.pt", 1, key, tuple(shape if shape is not None else (len(values),)), norm, tuple(values), step, at(SAVE)
    )
    return Trace(1, (*training().events, FileSeen("last.pt", "values", at(SAVE)), kept, End("exit", Counts())))


def fails(original: Trace, port: Trace, rounding: Trace | None = None) -> list[VerdictFinding]:
    parity, findings = compare(original, port, 1e-3, "cuda.py", rounding)
    found = [item for item in findings if item.severity == "fail"]
    assert bool(found) == (parity.verdict == "fail")
    return found


SAME = {
    "digits that print rounds": ("loss 0.81249", "loss 0.81250"),
    "sums in another order": ("mean 1234.567", "mean 1234.601"),
    "seconds": ("epoch 1 took 3.2 s", "epoch 1 took 41.9 s"),
    "a time by its name": ("epoch 1: time 3.2, loss 0.5", "epoch 1: time 41.9, loss 0.5"),
    "a time in JSON": ('{"loss": 0.5, "epoch_time": 3.25}', '{"loss": 0.5, "epoch_time": 40.0}'),
    "a rate": ("1834 images/s", "97 images/s"),
    "a rate in words": ("throughput: 1834.2", "throughput: 97.1"),
    "times by their unit": ("Loss 1.00 Data (t): 0.005 Batch (s): 0.061", "Loss 1.00 Data (t): 0.009 Batch (s): 0.50"),
    "the time a batch takes to load": ("Time 0.2 ( 0.3) Data 0.32 ( 0.1)", "Time 0.3 ( 0.3) Data 0.00 ( 0.0)"),
    "a time and its mean": ("Time 0.2 ( 0.3) loss 0.5", "Time 5.2 ( 4.3) loss 0.5"),
    "memory": ("peak 120.5 MB", "peak 0.0 MB"),
    "allocated": ("allocated: 120", "allocated: 0"),
    "the clock": ("2024-01-02 03:04:05,678 loss 0.5", "2026-11-30 13:14:15,001 loss 0.5"),
    "minutes": ("[00:12] loss 0.5", "[02:59] loss 0.5"),
    "a progress bar": ("50%|#####     | 1/2 [00:01<00:01, 1.20it/s, loss=0.5]", "50%|##   | 1/2 [00:09<00:09, 9s/it]"),
    "the device": ("training on cuda:0, loss 0.5", "training on xla:0, loss 0.5"),
    "an address": ("<Net object at 0x7f12> 0.5", "<Net object at 0x7f99> 0.5"),
    "a path": ("saved /tmp/a1/best_3.pt at 0.5", "saved /tmp/b2/best_4.pt at 0.5"),
    "a tensor for a number": ("loss 0.5000", "loss tensor(0.5000, device='xla:0')"),
    "tensors": ("tensor(0.5, grad_fn=<MeanBackward0>)", "tensor(0.5000, device='xla:0', grad_fn=<DivBackward0>)"),
    "a list of tensors": ("[0.5, 0.25]", "[tensor(0.5000, device='xla:0'), tensor(0.2500, device='xla:0')]"),
    "no number in both": ("loss nan", "loss nan"),
    "widths": ("loss  0.5  lr 1.00e-03", "loss 0.5 lr 0.001"),
    "names with digits": ("layer1.weight of f32", "layer1.weight of f32"),
}


@pytest.mark.parametrize("case", SAME)
def test_what_two_runs_print_otherwise_and_mean_the_same(case: str) -> None:
    one, other = SAME[case]
    assert fails(printing(one), printing(other)) == []


DIFFERENT = {
    "a sum that counts padding": ("accuracy 0.8125", "accuracy 0.6094"),
    "an accuracy that is one sample off, though training agrees to the last digit": ("acc: 13/16", "acc: 14/16"),
    "a percentage": ("Accuracy: 9912/10000 (99%)", "Accuracy: 9560/10000 (96%)"),
    "a mean of another number of batches": ("mean loss 0.5000", "mean loss 0.4583"),
    "a loss that is no number": ("loss 0.5", "loss nan"),
    "a count": ("epoch 3 of 4: 96 samples", "epoch 3 of 4: 88 samples"),
    "a sign": ("reward 0.5", "reward -0.5"),
    "the second of two": ("train 0.500 | val 0.750", "train 0.500 | val 0.740"),
    "a small one": ("lr 1.00e-04", "lr 1.00e-05"),
}


@pytest.mark.parametrize("case", DIFFERENT)
def test_a_number_that_differs_is_named_with_its_line(case: str) -> None:
    one, other = DIFFERENT[case]
    (found,) = fails(printing(one), printing(other))
    assert (found.kind, found.line) == ("parity", PRINT)
    assert one in found.reason
    assert "after step 6" in found.reason
    # The original once more, which prints the same, proves it.
    assert fails(printing(one), printing(other), printing(one)) == [found]


def test_what_is_written_into_a_file_is_compared_too() -> None:
    one, other = printing('{"acc": 0.8125}', path="log.json"), printing('{"acc": 0.6094}', path="log.json")
    (found,) = fails(one, other)
    assert "writes 0.6094 into `log.json` where the original writes 0.8125" in found.reason
    (found,) = fails(printing("1, 0.5", "2, 0.25", path="log.csv"), printing("1, 0.5", path="log.csv"))
    assert "`log.csv` has 1 lines like this one, the original's has 2" in found.reason


def test_what_differs_between_two_runs_of_the_original_is_not_compared() -> None:
    one, other = printing("value 0.731"), printing("value 0.198")
    assert fails(one, other) != []
    assert fails(one, other, printing("value 0.725")) == []


def test_what_a_rounding_does_to_a_number_is_allowed_to_the_port() -> None:
    one, other, again = printing("gap 0.10000"), printing("gap 0.10050"), printing("gap 0.10008")
    assert fails(one, other) != []
    assert fails(one, other, again) == []
    assert fails(one, printing("gap 0.15000"), again) != []


def test_what_is_allowed_grows_with_how_far_apart_the_losses_are() -> None:
    far = changed(LOSSES, 2, 1 + 9e-5)
    one, other = "perplexity 9.0000", "perplexity 9.0070"
    assert fails(printing(one), printing(other)) != []
    assert fails(printing(one), printing(other, losses=far)) == []
    assert fails(printing(one, step=1), printing(other, step=1, losses=far)) != []


@pytest.mark.parametrize(
    ("one", "other", "is_said"),
    [
        ("acc 13/16", "acc 14/16", False),
        ("acc 13/16", "acc 15/16", True),
        ("acc 80/100", "acc 82/100", False),
        ("acc 80/100", "acc 83/100", True),
        ("accuracy 81.25 %", "accuracy 75.00 %", False),
        ("accuracy 0.8130", "accuracy 0.8140", False),
        ("accuracy 0.8130", "accuracy 0.7720", True),
        ("accuracy 0.75", "accuracy 0.50", True),
        ("acc: 0.58333334326", "acc: 0.5000000149", False),  # one of 12, in float32
        ("acc: 0.6667", "acc: 0.5000", True),  # two of 12, or one of 6
        ("acc: 58 %", "acc: 50 %", True),  # of any number of samples
        ("acc: 0.5833312", "acc: 0.5000000", True),
        ("lr 0.750", "lr 0.740", True),
    ],
)
def test_a_sample_or_two_may_change_sides_where_the_two_differ_by_more_than_a_rounding(
    one: str, other: str, is_said: bool
) -> None:
    assert bool(fails(printing(one, step=1), printing(other, step=1, losses=changed(LOSSES, 2, 1 + 9e-5)))) == is_said


def test_lines_that_the_port_does_not_print_or_prints_late() -> None:
    one, other = printing("loss 0.5", "loss 0.4", "loss 0.3", "loss 0.2"), printing("loss 0.5")
    (found,) = fails(one, other)
    assert "prints this line 1 times, the original 4 times: `loss 0.5`" in found.reason
    assert "0 times, the original 1 times" in fails(printing("val 0.5"), printing())[0].reason
    # Where the run was ended after its steps, a port that prints one step later has not come to it.
    assert fails(printing("loss 0.5", "loss 0.4", reason="steps"), printing("loss 0.5")) == []
    # Of devices and versions a port says something else; what no two runs share is not asked for.
    assert fails(printing("cuda 12.1"), printing()) == []
    assert fails(printing("starting epoch 1"), printing()) == []
    assert fails(one, other, printing("loss 0.5", "loss 0.4")) == []
    assert fails(printing(), printing("compiled 0.5")) == []


def test_lines_are_matched_by_their_text_in_any_order() -> None:
    one, other = printing("loss 0.5", "val 0.75", "loss 0.4"), printing("loss 0.5", "loss 0.4", "val 0.75")
    assert fails(one, other) == []


def test_saved_tensors_and_numbers() -> None:
    weights = (0.5, -0.25, 1.0)
    assert fails(saving(weights), saving((0.5, -0.25, 1.00001))) == []
    (found,) = fails(saving(weights), saving((0.5, -0.25, 1.01)))
    assert "`last.pt` holds another `model/other` than the original's, saved after step 6" in found.reason
    assert found.line == SAVE
    assert fails(saving(weights), saving((0.5, -0.25, 1.01)), saving((0.5, -0.25, 1.002))) == []
    (found,) = fails(saving(weights), saving((*weights, 0.0)))
    assert "`model/other` of shape [4], and the original's is of shape [3]" in found.reason
    assert fails(saving((3.0,), key="epoch", shape=()), saving((4.0,), key="epoch", shape=())) != []
    assert fails(saving((3.0,), key="time", shape=()), saving((4.0,), key="time", shape=())) == []
    assert fails(saving((3.0, 1.0), key="rng_state"), saving((4.0, 2.0), key="rng_state")) == []


def test_what_is_saved_in_half_a_precision_is_compared_in_that() -> None:
    assert fails(saving((0.10009765625, 0.0625)), saving((0.10015869140625, 0.0625))) == []
    assert fails(saving((0.10009765625, 0.0625)), saving((0.1015625, 0.0625))) != []
    assert fails(saving((0.10009765625, 3.0e-9)), saving((0.10015869140625, 3.0e-9))) != []  # no half is so small
    # Nor what float32 tells apart, nor a count, nor a number that somebody has set.
    assert fails(saving((0.5, 0.25)), saving((0.5, 0.2502))) != []
    assert fails(saving((4096.0, 2.0)), saving((4098.0, 2.0))) != []


def test_what_a_model_in_half_a_precision_computes_is_compared_in_that() -> None:
    one, other = printing("val/obj_loss 0.0070834"), printing("val/obj_loss 0.007045")
    assert fails(one, other) != []
    assert fails(Trace(1, (Noticed("cast", "float16", None), *one.events)), other) == []
    assert fails(Trace(1, (Noticed("cast", "float16", None), *one.events)), printing("val/obj_loss 0.0075000")) != []


def test_a_wrapper_of_the_model_is_no_part_of_a_name() -> None:
    assert fails(saving((0.5,), key="module.fc.weight"), saving((0.5,), key="fc.weight")) == []
    (found,) = fails(saving((0.5,), key="fc.weight"), saving((0.5,), key="fc.bias"))
    assert "`last.pt` lacks `fc.weight`" in found.reason


def test_files_that_only_one_saves() -> None:
    nothing = printing()
    (found,) = fails(saving((0.5,)), nothing)
    assert "The original saves `last.pt`, and the port does not" in found.reason
    assert fails(nothing, saving((0.5,))) == []
    assert fails(saving((0.5,)), printing(reason="steps")) == []
    plot = FileSeen("plot.png", "unknown", None)
    both = Trace(1, (*nothing.events, plot))
    _, findings = compare(both, both, 1e-3, "cuda.py")
    assert [(item.severity, item.reason) for item in findings] == [
        ("note", "Not compared, since their format is not known: plot.png")
    ]
    assert fails(both, nothing) == []


def test_objects_in_a_line_of_json_say_what_a_number_is() -> None:
    line = parsed('{"Loss/loss": {"num": 64, "mean": 0.99}, "Resources/cpu_mem_gb": {"num": 1, "mean": 1.91}}')
    assert line is not None
    assert [(number.value, number.clock) for number in line.numbers] == [
        (64.0, False), (0.99, False), (1.0, True), (1.91, True)
    ]  # fmt: skip
    memory = parsed("tick 0 loss 0.51 | sec/tick 7.1 maintenance 2.0 cpumem 0.65")
    assert memory is not None
    assert [number.clock for number in memory.numbers] == [False, False, True, True, True]
    broken = parsed('{"a": {"loss": 0.5}')
    assert broken is not None
    assert [number.value for number in broken.numbers] == [0.5]


def test_a_line_is_its_text_and_its_numbers() -> None:
    line = parsed("Epoch 3: loss=0.1250 (12.5%), 2.5e-3 in 3.1s")
    assert line is not None
    assert line.text == "Epoch#: loss=#(#%),#in#s"
    assert [(number.value, number.unit, number.clock) for number in line.numbers] == [
        (3.0, 0.0, False), (0.125, 1e-4, False), (12.5, 0.1, False), (2.5e-3, 1e-4, False), (3.1, 0.1, True)
    ]  # fmt: skip


@pytest.mark.parametrize(
    "texts", [("Time  7.7 ( 7.7)", "Time 38.9 (38.9)"), ("[  1/20]", "[ 11/20]"), ("a: 5    | b", "a: 12345| b")]
)
def test_numbers_that_are_filled_up_to_a_width_are_of_one_line(texts: tuple[str, str]) -> None:
    one, other = map(parsed, texts)
    assert one is not None
    assert other is not None
    assert one.text == other.text


def test_outputs_survive_their_file() -> None:
    for event in (*printing("x 0.5").events, *saving((0.5, float("inf"))).events):
        assert decode(encode(event)) == event

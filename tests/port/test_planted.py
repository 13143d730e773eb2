"""Rewrites that a wrong rule might make, each plausible, planted into a right port: parity rejects every one of them.

One script has what such rules change: masks, padding, a buffer, accumulated batches, a schedule that reads the loss,
clipping, an average of the weights, an evaluation and a checkpoint. Its right port is accepted, and each wrong twin
differs from that one in one place.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.warm_python import with_torch_xla
from xlaport.verify import Against, Recordings, Verdict, VerifyRequest, compared

ORIGINAL = """\
import torch

torch.manual_seed(0)
device = torch.device("cuda")
model = torch.nn.Sequential(torch.nn.Linear(6, 16), torch.nn.Tanh(), torch.nn.Linear(16, 3)).to(device)
average = [p.detach().clone() for p in model.parameters()]
optimizer = torch.optim.Adam(model.parameters(), lr=0.02, eps=1e-8)
center = torch.zeros(6, device=device)
rows = torch.randn(44, 5, 6)
labels = (rows.sum(-1) > 0).long() + (rows[..., 0] > 1).long()
lengths = torch.randint(1, 6, (44,))
best = 1e9
for epoch in range(2):
    total, count = 0.0, 0
    for step, at in enumerate(range(0, 44, 8)):
        x, y, n = (t[at : at + 8].to(device) for t in (rows, labels, lengths))
        mask = (torch.arange(5, device=device) < n[:, None]).float()
        center.mul_(0.5).add_(x.mean((0, 1)), alpha=0.5)
        out = model(x - center)
        each = torch.nn.functional.cross_entropy(out.flatten(0, 1), y.flatten(), reduction="none").view_as(mask)
        loss = (each * mask).sum() / mask.sum()
        optimizer.zero_grad()
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 0.4)
        if torch.isfinite(norm):
            optimizer.step()
        for kept, p in zip(average, model.parameters()):
            kept.lerp_(p.detach(), 0.2)
        if loss.item() > best:
            for group in optimizer.param_groups:
                group["lr"] *= 0.7
        best = min(best, loss.item())
        total += loss.item() * len(x)
        count += len(x)
        if step % 2 == 1:
            print(f"epoch {epoch} step {step} loss {loss.item():.4f}")
        torch.save({"model": model.state_dict(), "average": average}, "last.pt")
    print(f"epoch {epoch} mean {total / count:.4f}")
with torch.no_grad():
    right = seen = 0
    for at in range(0, 44, 8):
        x, y, n = (t[at : at + 8].to(device) for t in (rows, labels, lengths))
        mask = torch.arange(5, device=device) < n[:, None]
        right += ((model(x - center).argmax(-1) == y) & mask).sum().item()
        seen += mask.sum().item()
print(f"accuracy {right / seen:.4f} of {seen}")
"""
PORT = """\
import torch
import torch_xla

torch.manual_seed(0)
device = torch_xla.device()
model = torch.nn.Sequential(torch.nn.Linear(6, 16), torch.nn.Tanh(), torch.nn.Linear(16, 3)).to(device)
average = [p.detach().clone() for p in model.parameters()]
optimizer = torch.optim.Adam(model.parameters(), lr=0.02, eps=1e-8)
center = torch.zeros(6, device=device)
rows = torch.randn(44, 5, 6)
labels = (rows.sum(-1) > 0).long() + (rows[..., 0] > 1).long()
lengths = torch.randint(1, 6, (44,))


def batch(at):
    # Batches of one shape: rows of length 0 fill up the last.
    parts = [t[at : at + 8] for t in (rows, labels, lengths)]
    missing = 8 - len(parts[0])
    padded = [torch.cat([t, t.new_zeros(missing, *t.shape[1:])]) for t in parts]
    return [t.to(device) for t in (*padded, torch.tensor(len(parts[0])))]


best = torch.tensor(1e9, device=device)
for epoch in range(2):
    total, count = torch.zeros((), device=device), 0
    for step, at in enumerate(range(0, 44, 8)):
        x, y, n, real = batch(at)
        mask = (torch.arange(5, device=device) < n[:, None]).float()
        before = center.clone()
        center.mul_(0.5).add_(x.sum((0, 1)) / (5 * real), alpha=0.5)
        out = model(x - center)
        each = torch.nn.functional.cross_entropy(out.flatten(0, 1), y.flatten(), reduction="none").view_as(mask)
        loss = (each * mask).sum() / mask.sum()
        optimizer.zero_grad()
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 0.4)
        optimizer.step()
        for kept, p in zip(average, model.parameters()):
            kept.lerp_(p.detach(), 0.2)
        read = loss.item()
        if read > best.item():
            for group in optimizer.param_groups:
                group["lr"] *= 0.7
        best = torch.minimum(best, loss.detach())
        total += loss.detach() * real
        count += real
        if step % 2 == 1:
            print(f"epoch {epoch} step {step} loss {loss.item():.4f}")
        torch_xla.sync()
        torch.save({"model": model.state_dict(), "average": average}, "last.pt")
    print(f"epoch {epoch} mean {total / count:.4f}")
with torch.no_grad():
    right = seen = torch.zeros((), dtype=torch.long, device=device)
    for at in range(0, 44, 8):
        x, y, n, real = batch(at)
        mask = torch.arange(5, device=device) < n[:, None]
        right = right + ((model(x - center).argmax(-1) == y) & mask).sum()
        seen = seen + mask.sum()
        torch_xla.sync()
print(f"accuracy {right / seen:.4f} of {seen}")
"""
LOSS = "loss = (each * mask).sum() / mask.sum()"
STEP = "        optimizer.step()\n"
CLIP = "        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 0.4)\n"
AVERAGE = """\
        for kept, p in zip(average, model.parameters()):
            kept.lerp_(p.detach(), 0.2)
"""
SAVE = '        torch.save({"model": model.state_dict(), "average": average}, "last.pt")\n'
RIGHT = "((model(x - center).argmax(-1) == y) & mask).sum()"
READ = "        read = loss.item()\n"
ZERO = "        optimizer.zero_grad()\n"
BATCHES = "range(0, 44, 8)):\n        x, y, n, real"
TOTAL = "total, count = torch.zeros((), device=device), 0\n"
BARRIER = "        torch_xla.sync()\n"
TRAINING = "differ in step"
PLANTED: dict[str, tuple[str, dict[str, str]]] = {
    "a sum that forgets the mask": (TRAINING, {LOSS: "loss = each.sum() / mask.sum()"}),
    "a padded mean": (TRAINING, {LOSS: "loss = (each * mask).mean()"}),
    "a mean of the batch that counts its padding": (TRAINING, {"x.sum((0, 1)) / (5 * real)": "x.mean((0, 1))"}),
    "a buffer that is stale": (TRAINING, {"out = model(x - center)": "out = model(x - before)"}),
    "a decision on the loss of the step before": (
        TRAINING,
        {"best = torch.t": "late = 0.0\nbest = torch.t", READ: "        read, late = late, loss.item()\n"},
    ),
    "the last batch of each epoch is dropped": (TRAINING, {BATCHES: BATCHES.replace("44", "40")}),
    "the last batch of all is dropped": (
        "makes 12 optimizer steps, the port 11",
        {ZERO: f"        if epoch and step == 5:\n            break\n{ZERO}"},
    ),
    "an epsilon that is safe in bfloat16": (TRAINING, {"eps=1e-8": "eps=1e-3"}),
    "a loss that is scaled for a sum": (TRAINING, {LOSS: f"{LOSS} / 2"}),
    "a guard that skips an update": ("has 2 backward passes", {STEP: f"        if step != 2:\n    {STEP}"}),
    "clipping after the step": (TRAINING, {CLIP: "", STEP: STEP + CLIP}),
    "an average of stale weights": ("`last.pt` holds another `average/", {AVERAGE: "", STEP: AVERAGE + STEP}),
    "a checkpoint from before the step": ("`last.pt` holds another `model/", {SAVE: "", STEP: SAVE + STEP}),
    "a metric that counts padding": ("`accuracy ", {RIGHT: RIGHT.replace(" & mask", "")}),
    "a share of all places": ("`accuracy ", {"seen = seen + mask.sum()": "seen = seen + mask.numel()"}),
    "a sum that is not begun anew": (
        "`epoch 1 mean ",
        {f"    {TOTAL}": "", "best = torch.t": f"{TOTAL}best = torch.t"},
    ),
    "a sum in bfloat16": ("`epoch 0 mean ", {TOTAL: TOTAL.replace("device)", "device).bfloat16()")}),
    "a log of the step before": (
        "`epoch 0 step 1 loss",
        {
            "loss {loss.item():.4f}": "loss {last.item():.4f}",
            BARRIER + SAVE: "        last = loss.detach()\n" + BARRIER + SAVE,
        },
    ),
    "a log that is left out": ("4 times, the original 6 times", {"if step % 2 == 1": "if step % 4 == 1"}),
}
"""By its name: what is said of it, and what is replaced in the right port."""


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Recordings]:
    """The folder of the original, and its records: it runs once, and once more with other rounding."""
    folder = tmp_path_factory.mktemp("original")
    (folder / "train.py").write_text(ORIGINAL)
    return folder, Recordings()


def verdict_on(port: str, folder: Path, original: tuple[Path, Recordings]) -> Verdict:
    here = folder / "port"
    here.mkdir()
    (here / "train.py").write_text(port)
    request = VerifyRequest("train.py", steps=None, timeout=300, python=with_torch_xla(), directory=here)
    ran = Verdict("pass", "CPU", "2.9", 12)
    return compared(ran, request, Against(Path("train.py"), 5e-3, directory=original[0]), original[1])


def test_the_right_port_is_accepted(tmp_path: Path, original: tuple[Path, Recordings]) -> None:
    verdict = verdict_on(PORT, tmp_path, original)
    assert (verdict.verdict, verdict.findings) == ("pass", ())
    assert verdict.parity is not None
    assert (verdict.parity.steps, verdict.parity.lines, verdict.parity.files) == (12, 9, 1)


@pytest.mark.parametrize("kind", PLANTED)
def test_a_wrong_rewrite_is_rejected(kind: str, tmp_path: Path, original: tuple[Path, Recordings]) -> None:
    said, changes = PLANTED[kind]
    wrong = PORT
    for before, after in changes.items():
        assert wrong.count(before) == 1, before
        wrong = wrong.replace(before, after)
    verdict = verdict_on(wrong, tmp_path, original)
    assert verdict.verdict == "fail"
    assert said in verdict.findings[0].reason, verdict.findings

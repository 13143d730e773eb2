"""Programs that read the device in every step. `batches` is a list of tensors on the host, of any length."""

from __future__ import annotations

import textwrap

_HEAD = """
import torch
from torch import nn


class Meter:
    def __init__(self):
        self.val, self.sum, self.count = 0.0, 0.0, 0

    def update(self, val, n=1):
        self.val = val
        self.sum += val * n
        self.count += n

    @property
    def avg(self):
        return self.sum / self.count if self.count else 0.0

    def __str__(self):
        return f"{self.val:.3f} ({self.avg:.3f})"


def program(device: torch.device, batches):
    torch.manual_seed(0)
    model = nn.Linear(4, 3).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
"""

_STEP = """
loss = model(x.to(device)).pow(2).mean()
optimizer.zero_grad()
loss.backward()
optimizer.step()
"""


def program(body: str) -> str:
    """A whole program; ``STEP`` in its body is a training step."""
    lines = []
    for line in textwrap.dedent(body).strip("\n").splitlines():
        indent = line[: len(line) - len(line.lstrip())]
        lines += [indent + part for part in _STEP.strip("\n").splitlines()] if line.strip() == "STEP" else [line]
    return _HEAD.lstrip("\n") + textwrap.indent("\n".join(lines), "    ") + "\n"


SUMS = {
    "a sum of losses": """
        total = 0.0
        for x in batches:
            STEP
            total += loss.item()
        return total
        """,
    "a mean": """
        total = 0.0
        for x in batches:
            STEP
            total += loss.item() * x.size(0) / 2
        return total / max(len(batches), 1), f"{total:.3f}"
        """,
    "a count": """
        correct = 0
        with torch.no_grad():
            for x in batches:
                pred = model(x.to(device)).argmax(dim=1)
                correct += pred.eq(torch.ones_like(pred)).sum().item()
        return correct, {correct: "a key"}, f"{correct:d}", "%d" % correct
        """,
    "a count in a float": """
        correct = 0.0
        with torch.no_grad():
            for x in batches:
                out = model(x.to(device))
                correct += (out > 0).sum().item()
        return correct, f"{correct:.1f}", round(correct, 2)
        """,
    "truth values": """
        hits = 0
        with torch.no_grad():
            for x in batches:
                out = model(x.to(device))
                hits += (out > 0).any().item()
        return hits
        """,
    "logged now and then": """
        logged = []
        running = 0.0
        for i, x in enumerate(batches):
            STEP
            running += loss.item()
            if i % 6 == 5:
                logged.append(f"{running / 6:.3f}")
                running = 0.0
        return logged[:1], running
        """,
    "over two epochs": """
        seen = []
        total = 0.0
        for epoch in range(2):
            for x in batches:
                STEP
                total = total + float(loss)
            seen.append(total)
        best = total
        return seen, best, total
        """,
    "changed behind the loop": """
        seen = []
        for epoch in range(2):
            total = 0.0
            for x in batches:
                STEP
                total += loss.item()
            total /= 2
            seen.append(total)
        return seen
        """,
    "two that begin together": """
        total = count = 0
        for x in batches:
            STEP
            total += loss.detach().cpu().item()
            count += (model(x.to(device)) > 0).sum().item()
        return count, total / max(count, 1)
        """,
    "several a line": """
        a, b, n = 0.0, 0.0, 0
        for x in batches:
            out = model(x.to(device))
            penalty = 0.1 * out.pow(2).mean()
            loss = out.mean() + penalty
            loss.backward()
            optimizer.step()
            a += loss.item() + penalty.item()
            b += -penalty.item()
            n += len(x)
        return a, b, n
        """,
    "half precision": """
        half = model.to(torch.bfloat16)
        total = 0.0
        weighted = 0.0
        with torch.no_grad():
            for x in batches:
                loss = half(x.to(device).to(torch.bfloat16)).float().mean().to(torch.bfloat16)
                total += loss.item()
                weighted += loss.item() * 3
        return abs(total) < 100, abs(weighted - 3 * total) < 1e-2
        """,
    "left early": """
        total = 0.0
        for i, x in enumerate(batches):
            STEP
            total += loss.item()
            if i == 4:
                return total / 5
        return total
        """,
}

LISTS = {
    "a list of losses": """
        losses = []
        for x in batches:
            STEP
            losses.append(loss.item())
        return losses, sum(losses), sorted(losses)
        """,
    "a list of weighted losses": """
        losses = list()
        for x in batches:
            STEP
            losses += [loss.item() * x.size(0) / 3]
        return sum(losses)
        """,
    "lists of counts and truth values": """
        counts, wide, whole, flags = [], [], [], []
        with torch.no_grad():
            for x in batches:
                out = model(x.to(device))
                counts.append((out > 0).sum().item())
                wide.append(float((out > 0).sum()))
                whole.append(int((out > 0).any()))
                flags.append((out > 0).any().item())
        return counts, wide, whole, flags
        """,
    "the last of a list is logged": """
        losses, logged = [], []
        for i, x in enumerate(batches):
            STEP
            losses.append(float(loss))
            if i % 6 == 5:
                logged.append(f"{losses[-1]:.3f} {len(losses)}")
        return logged[:1]
        """,
    "a list of half precision": """
        half = model.to(torch.bfloat16)
        values = []
        with torch.no_grad():
            for x in batches:
                out = half(x.to(device).to(torch.bfloat16)).float().mean().to(torch.bfloat16)
                values.append(out.item())
        return [abs(v) < 100 for v in values]
        """,
}

METERS = {
    "a meter": """
        losses = Meter()
        for x in batches:
            STEP
            losses.update(loss.item(), x.size(0))
        shown = f"{losses.avg:.3f}", "%.3f" % losses.val, str(losses), "{m.avg:.2f}".format(m=losses)
        return losses.avg, losses.sum, shown
        """,
    "a meter that is logged": """
        losses, logged = Meter(), []
        for i, x in enumerate(batches):
            STEP
            losses.update(float(loss))
            if i % 6 == 5:
                logged.append(f"{losses.val:.3f} {losses}")
        best = max(losses.avg, 0.5)
        return logged[:1], round(best, 3)
        """,
}

TOGETHER = {
    "several in a statement": """
        out = model(torch.ones(2, 4, device=device))
        loss, penalty = out.mean(), out.pow(2).mean()
        a, b = loss.item(), float(penalty)
        counts = [(out > 0).sum().item(), (out > 1).sum().item()]
        flags = [v.item() for v in ((out > 0).any(), (out > 0).all())]
        return a, b, counts, flags
        """,
    "floats of two widths": """
        out = model(torch.ones(2, 4, device=device))
        wide, narrow = out.mean(), out.mean().to(torch.bfloat16)
        a, b = wide.item(), narrow.item()
        return a, abs(b - a) < 0.01
        """,
    "a vector": """
        out = model(torch.ones(2, 4, device=device)).reshape(-1)
        empty = (model(torch.ones(0, 4, device=device)) > 0).view(-1)
        return [v.item() for v in out], [v.item() for v in empty]
        """,
    "tensors of tensors": """
        out = model(torch.ones(2, 4, device=device))
        loss, penalty = out.mean(), out.pow(2).mean()
        both = torch.tensor([loss, penalty], device=device)
        return both.tolist(), both.requires_grad, max(loss, penalty).item(), min(loss, penalty).item()
        """,
    "behind the barrier": """
        seen = []
        for x in batches:
            out = model(x.to(device))
            loss = out.pow(2).mean()
            loss.backward()
            optimizer.step()
            first = out.mean().item()
            second = (2 * out).mean().item()
            seen.append((first, second))
        return seen
        """,
}

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

KEPT = {
    "tensors in a list": """
        outputs, scores = [], []
        with torch.no_grad():
            for x in batches:
                out = model(x.to(device))
                outputs.append(out.argmax(dim=1).cpu())
                scores.append(out[:, 0].detach().cpu().numpy())
        return [list(part.shape) for part in outputs], [t.tolist() for t in outputs], [s.tolist() for s in scores]
        """,
    "tensors that change in place": """
        running, seen = torch.zeros((), device=device), []
        scale = nn.Parameter(torch.ones((), device=device))
        for x in batches:
            STEP
            running.mul_(0.9).add_(loss.detach())
            seen.append(running.item())
            with torch.no_grad():
                scale += 1
            seen.append(scale.item())
        return seen
        """,
    "elements of lists": """
        predictions, flags = [], []
        with torch.no_grad():
            for x in batches:
                out = model(x.to(device))
                predictions.extend(out.argmax(1).cpu().tolist())
                flags += (out > 0).any(dim=1).tolist()
        return predictions, flags
        """,
    "arrays": """
        import numpy as np

        losses, counts, doubles = torch.zeros(20), torch.zeros(20, dtype=torch.int64), np.zeros(20)
        for i, x in enumerate(batches):
            STEP
            losses[i] = loss.item()
            counts[i] = (model(x.to(device)) > 0).sum().item()
            doubles[i] = loss.item() * 2
        return losses.tolist(), counts.tolist(), doubles.tolist(), str(losses.dtype), str(doubles.dtype)
        """,
    "dicts of sums": """
        from collections import defaultdict

        sums, counts = {"loss": 0.0, "most": 0.0}, defaultdict(int)
        for x in batches:
            STEP
            sums["loss"] += loss.item()
            for name in ("most",):
                sums[name] += loss.max().item() * 2
            counts["hits"] += (model(x.to(device)) > 0).sum().item()
        return sums, dict(counts), type(counts).__name__
        """,
    "a name for two things": """
        total = 0.0
        for x in batches:
            STEP
            total += loss.item()
        first = total
        total = 0
        for x in batches:
            with torch.no_grad():
                total += (model(x.to(device)) > 0).sum().item()
        return first, total
        """,
}

HANDED_ON = {
    "a name between": """
        losses, total = [], 0.0
        for i, x in enumerate(batches):
            STEP
            value = loss.item()
            total += value
            losses.append(value)
            weighted = value * x.size(0)
            total += weighted
        return losses, total
        """,
    "a smoothed loss": """
        smooth, last, seen = None, 0.0, []
        for i, x in enumerate(batches):
            STEP
            value = loss.item()
            smooth = value if smooth is None else 0.9 * smooth + 0.1 * value
            last = 0.5 * last + 0.5 * value
        return smooth, last, seen
        """,
    "the greatest and the least": """
        worst, best = 0.0, float("inf")
        for x in batches:
            STEP
            worst = max(worst, loss.item())
            best = min(best, 2 * loss.item())
        return worst, best
        """,
    "changed after it was read": """
        total, value = 0.0, 0.0
        for x in batches:
            STEP
            value = loss.item()
            with torch.no_grad():
                loss /= 2
            total += value
        return total, value
        """,
    "a step that hands back its loss": """
        def train_step(x):
            STEP
            return loss.item()

        losses, total = [], 0.0
        for x in batches:
            losses.append(train_step(x))
        for x in batches:
            total += train_step(x)
        last = train_step(torch.ones(2, 4))
        return losses, total, last
        """,
    "a step that hands back its loss and a count": """
        def train_step(x):
            STEP
            hits = (loss > 0).sum().item()
            return loss.item() * len(x), hits, len(x)

        total, count, n, first = 0.0, 0, 0, None
        for x in batches:
            loss, hits, size = train_step(x)
            total += loss
            count += hits
            n += size
        return total / max(n, 1), count, n
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
}

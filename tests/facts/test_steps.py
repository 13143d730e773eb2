"""The body of a step loop: where the barrier belongs, and which reads can wait for it."""

from __future__ import annotations

import ast
import textwrap

import pytest

from xlaport.edits import Realiser
from xlaport.facts.steps import EarlyRead, Form, LateRead, Side
from xlaport.rule import InsertStatement
from xlaport.splices import apply

from .source import HEAD, facts


def cut(source: str) -> str:
    """The source with ``sync()`` wherever the graph of its one step loop should be cut."""
    context = facts(source)
    (loop,) = context.loops.all()
    edits = [
        InsertStatement(
            context.span(c.statement), "else:\n    sync()" if c.side is Side.ELSE else "sync()", c.side is Side.BEFORE
        )
        for c in context.steps.cuts(loop)
    ]
    realiser = Realiser(context.module, "\n")
    text = apply(context.module.text, [s for edit in edits for s in realiser.splices(edit)])
    ast.parse(text)
    return text[len(HEAD) :]


def body(text: str) -> str:
    return textwrap.indent(textwrap.dedent(text).strip("\n"), "    ") + "\n"


TRAINING = "for x, y in loader:\n"


class TestPlacement:
    @pytest.mark.parametrize(
        ("before", "after"),
        [
            ("loss.backward()\noptimizer.step()", "loss.backward()\noptimizer.step()\nsync()"),
            ("optimizer.step()\nprint(1)", "optimizer.step()\nsync()\nprint(1)"),
            # before the first read behind the last device work
            ("loss = model(x)\noptimizer.step()\nprint(loss)",
             "loss = model(x)\noptimizer.step()\nsync()\nprint(loss)"),
            ("loss = model(x)\noptimizer.step()\nlog(loss)\nema.mul_(2)",
             "loss = model(x)\noptimizer.step()\nsync()\nlog(loss)\nema.mul_(2)"),
            ("loss = model(x)\noptimizer.step()\nif n % 9 == 0:\n    print(loss.item())",
             "loss = model(x)\noptimizer.step()\nsync()\nif n % 9 == 0:\n    print(loss.item())"),
            # behind what still works for the step
            ("loss = model(x)\noptimizer.step()\ncount = loss + 1\nn += 1",
             "loss = model(x)\noptimizer.step()\ncount = loss + 1\nsync()\nn += 1"),
            ("loss = model(x)\noptimizer.step()\noptimizer.zero_grad()\nprint(loss)",
             "loss = model(x)\noptimizer.step()\noptimizer.zero_grad()\nsync()\nprint(loss)"),
            ("scaler.step(optimizer)\nscaler.update()\nn += 1",
             "scaler.step(optimizer)\nscaler.update()\nsync()\nn += 1"),
            # around the step
            ("if n % 4 == 0:\n    optimizer.step()\n    optimizer.zero_grad()\nn += 1",
             "if n % 4 == 0:\n    optimizer.step()\n    optimizer.zero_grad()\nsync()\nn += 1"),
            ("with amp():\n    loss = model(x)\noptimizer.step()",
             "with amp():\n    loss = model(x)\noptimizer.step()\nsync()"),
            ("with a(), b():\n    loss = model(x)\n    optimizer.step()\n    print(loss)",
             "with a(), b():\n    loss = model(x)\n    optimizer.step()\n    sync()\n    print(loss)"),
            ("with a():\n    optimizer.step()", "with a():\n    optimizer.step()\nsync()"),
            ("for m in parts:\n    m.backward()\noptimizer.step()",
             "for m in parts:\n    m.backward()\noptimizer.step()\nsync()"),
        ],
    )  # fmt: skip
    def test_behind_the_last_work_and_before_the_first_read(self, before: str, after: str) -> None:
        assert cut(TRAINING + body(before)) == TRAINING + body(after)

    @pytest.mark.parametrize(
        ("before", "after"),
        [
            ("if x is None:\n    continue\noptimizer.step()", "if x is None:\n    continue\noptimizer.step()\nsync()"),
            ("loss = model(x)\nif n:\n    continue\noptimizer.step()",
             "loss = model(x)\nif n:\n    sync()\n    continue\noptimizer.step()\nsync()"),
            ("loss = model(x)\nif n:\n    break\noptimizer.step()",
             "loss = model(x)\nif n:\n    sync()\n    break\noptimizer.step()\nsync()"),
            ("if n:\n    loss = model(x)\nelse:\n    continue\noptimizer.step()",
             "if n:\n    loss = model(x)\nelse:\n    continue\noptimizer.step()\nsync()"),
            ("if n:\n    loss = model(x)\n    continue\noptimizer.step()",
             "if n:\n    loss = model(x)\n    sync()\n    continue\noptimizer.step()\nsync()"),
            ("loss = model(x)\nfor i in n:\n    break\noptimizer.step()",
             "loss = model(x)\nfor i in n:\n    break\noptimizer.step()\nsync()"),
            ("loss = model(x)\ndef f():\n    return 1\noptimizer.step()",
             "loss = model(x)\ndef f():\n    return 1\noptimizer.step()\nsync()"),
            ("optimizer.step()\nif n:\n    break", "optimizer.step()\nsync()\nif n:\n    break"),
            ("try:\n    loss = model(x)\nexcept E:\n    continue\noptimizer.step()",
             "try:\n    loss = model(x)\nexcept E:\n    sync()\n    continue\noptimizer.step()\nsync()"),
        ],
    )  # fmt: skip
    def test_before_each_way_out_behind_device_work(self, before: str, after: str) -> None:
        assert cut(TRAINING + body(before)) == TRAINING + body(after)

    @pytest.mark.parametrize(
        ("before", "after"),
        [
            # reads that can wait do not hold the barrier back
            ("optimizer.step()\nn += loss.item()\nh += loss.sum().item()\nlog(n)",
             "optimizer.step()\nn += loss.item()\nh += loss.sum().item()\nsync()\nlog(n)"),
            ("optimizer.step()\nh += loss.sum().item()\nif n: break",
             "optimizer.step()\nh += loss.sum().item()\nsync()\nif n: break"),
            # those that cannot do
            ("optimizer.step()\nn = loss.item()\nif n > 2: k = 1\nh = loss + 1",
             "optimizer.step()\nsync()\nn = loss.item()\nif n > 2: k = 1\nh = loss + 1"),
            # what a step does now and then
            ("optimizer.step()\nn += 1\nif n % 9 == 0:\n    h = loss + 1",
             "optimizer.step()\nsync()\nn += 1\nif n % 9 == 0:\n    h = loss + 1"),
            # an option is the same in each pass
            ("optimizer.step()\nif n:\n    h = loss + 1", "optimizer.step()\nif n:\n    h = loss + 1\nsync()"),
            ("optimizer.step()\nwith torch.no_grad():\n    out = model(y)\n    print(out)",
             "optimizer.step()\nsync()\nwith torch.no_grad():\n    out = model(y)\n    print(out)"),
            # a metric of what the step has computed
            ("optimizer.step()\nwith torch.no_grad():\n    h = (loss - b).abs().mean().item()\n    print(h)",
             "optimizer.step()\nwith torch.no_grad():\n    h = (loss - b).abs().mean().item()\n    sync()\n"
             "    print(h)"),
            ("optimizer.step()\nd['h'] = (loss - b).abs().mean().item()\nprint(d)",
             "optimizer.step()\nd['h'] = (loss - b).abs().mean().item()\nsync()\nprint(d)"),
            ("optimizer.step()\nd['h'] = (loss - b).abs().mean().item()\nd['k'] = (loss + b).mean().item()\nprint(d)",
             "optimizer.step()\nd['h'] = (loss - b).abs().mean().item()\nsync()\n"
             "d['k'] = (loss + b).mean().item()\nprint(d)"),
            # one barrier on each path
            ("optimizer.step()\nif n:\n    b.backward()\n    print(b.item())\nn += 1",
             "optimizer.step()\nif n:\n    b.backward()\n    sync()\n    print(b.item())\nelse:\n    sync()\nn += 1"),
            ("if n:\n    optimizer.step()\n    print(loss.item())\nelif k:\n    k = 2\nelse:\n    k = 1",
             "if n:\n    optimizer.step()\n    sync()\n    print(loss.item())\nelif k:\n    sync()\n    k = 2\n"
             "else:\n    sync()\n    k = 1"),
            ("if n:\n    optimizer.step()\n    print(loss.item())\nelif k:\n    k = 2",
             "if n:\n    optimizer.step()\n    sync()\n    print(loss.item())\nelif k:\n    sync()\n    k = 2\n"
             "else:\n    sync()"),
            # within a try
            ("try:\n    loss.backward()\n    optimizer.step()\nexcept E:\n    pass",
             "try:\n    loss.backward()\n    optimizer.step()\n    sync()\nexcept E:\n    pass"),
            # before the reads of a way out
            ("if n:\n    optimizer.step()\n    k = loss\n    print(loss)\n    continue\noptimizer.step()",
             "if n:\n    optimizer.step()\n    k = loss\n    sync()\n    print(loss)\n    continue\noptimizer.step()\n"
             "sync()"),
        ],
    )  # fmt: skip
    def test_once_on_each_path(self, before: str, after: str) -> None:
        head = "loss = model(x)\nb = model(y)\n"
        assert cut(TRAINING + body(head + before)) == TRAINING + body(head + after)

    def test_denoising(self) -> None:
        before = (
            "with torch.no_grad():\n    for t in y:\n        noise = model(x, t)\n        x = s.step(noise, x).prev\n"
        )
        assert cut(before) == before + "        sync()\n"

    def test_within_a_function_that_steps_and_reads(self) -> None:
        before = (
            "def step(x):\n    loss = model(x)\n    loss.backward()\n    optimizer.step()\n    return loss.item()\n"
            "for x in loader:\n    print(step(x))\n"
        )
        assert cut(before) == before.replace("    return", "    sync()\n    return")
        elsewhere = before + "step(x)\n"
        assert cut(elsewhere) == elsewhere.replace("    return", "    sync()\n    return")

    def test_return_from_a_function(self) -> None:
        before = "def f():\n" + body("for x in loader:\n    loss = model(x)\n    if n: return 1\n    optimizer.step()")
        context = facts(before)
        (loop,) = context.loops.all()
        _, way_out = context.steps.cuts(loop)
        assert isinstance(way_out.statement, ast.Return)

    def test_evaluation(self) -> None:
        before = (
            "with torch.no_grad():\n    for x in y:\n        out = model(x)\n"
            "        hits += (out == x).sum()\n        n += hits.item()\n"
        )
        after = before.replace("        n +=", "        sync()\n        n +=")
        assert cut(before) == after

    def test_for_else(self) -> None:
        before = "for x in loader:\n    optimizer.step()\nelse:\n    n = 1\n"
        assert cut(before) == before.replace("else", "    sync()\nelse")

    def test_behind_the_call_of_a_function_that_steps(self) -> None:
        context = facts("def step(): optimizer.step()\nfor x in loader:\n    step()\n")
        (loop,) = context.loops.all()
        (cut,) = context.steps.cuts(loop)
        assert context.module.segment(cut.statement) == "step()"


def form(source: str, loop: str = TRAINING) -> Form | None:
    """How the statement marked ``# read`` could move behind ``torch_xla.sync()``."""
    context = facts(loop + body(source))
    (found,) = context.loops.all()
    block = found.node.body
    barrier = context.steps.cut_index(block)
    assert barrier is not None
    lines = context.module.text.split("\n")
    (index,) = [i for i, s in enumerate(block) if s.end_lineno is not None and "# read" in lines[s.end_lineno - 1]]
    assert context.reads.within([block[index]]), "the marked statement reads nothing"
    late = context.steps.late_read(EarlyRead(block, index, barrier, []))
    return late.form if isinstance(late, LateRead) else None


STEP = "optimizer.step()\ntorch_xla.sync()"


class TestLateReads:
    @pytest.mark.parametrize(
        ("source", "expected"),
        [
            ("loss = criterion(model(x), y)\ntotal += loss.item()  # read", Form.WHOLE),
            ("loss = criterion(model(x), y)\ntotal = total + loss.item() * len(y)  # read", Form.WHOLE),
            ("loss = criterion(model(x), y)\nlast = float(loss)  # read", Form.WHOLE),
            ("loss = criterion(model(x), y)\ntext = f'{loss:.3f}'  # read", Form.WHOLE),
            ("loss = criterion(model(x), y)\nppl = math.exp(loss.item())  # read", Form.WHOLE),
            ("loss = criterion(model(x), y)\ntotal += loss.item() * args.batch_size  # read", Form.WHOLE),
            ("loss = criterion(model(x), y)\nloss = loss / 4\ntotal += loss.item()  # read\nloss.backward()",
             Form.WHOLE),
            ("loss = criterion(model(x), y)\nloss = loss.item()  # read", Form.WHOLE),
            ("out, loss = model(x)\ntotal += loss.item()  # read", Form.WHOLE),
            ("loss = compute(model, x)\ntotal += loss.item()  # read\nloss.backward()", Form.WHOLE),
            ("loss = compute(model, x)\ntotal += loss.item()  # read\nscaler.scale(loss).backward()", Form.WHOLE),
            ("out = model(x)\nacc = accuracy(out, y)\ntotal += acc.item()  # read", Form.WHOLE),
            ("loss = model(x)\nself.d = loss.item()  # read", Form.WHOLE),
            ("loss = model(x)\nd = []\nd.append(loss.item())  # read", Form.WHOLE),
            ("loss = model(x)\nprint(loss.item())  # read", Form.WHOLE),
            ("loss = model(x)\nif n: print(loss)  # read", Form.WHOLE),
            ("loss = model(x)\nd = loss.detach().item()  # read", Form.WHOLE),
            ("d = []\nd.append(model(x).cpu())  # read", Form.NEW_NAME),
            ("out = model(x)\nd = out.mean().item()  # read", Form.SAME_NAME),
            ("out = model(x)\nd = (out.argmax(1) == y).sum().item()  # read", Form.SAME_NAME),
            ("out = model(x)\ntotal += out.mean().item()  # read", Form.NEW_NAME),
            ("out = model(x)\ntotal = total + 2 * out.mean().item()  # read", Form.NEW_NAME),
            ("def loss_of(a, b): return F.mse_loss(a, b)\nloss = loss_of(model(x), y)"
             "\ntotal += loss.item()  # read", Form.WHOLE),
        ],
    )  # fmt: skip
    def test_can_move(self, source: str, expected: Form) -> None:
        assert form(f"{source}\n{STEP}") is expected

    @pytest.mark.parametrize(
        "source",
        [
            # the tensor does not belong to the step
            "w = model.weight\nd = w.item()  # read",
            "d = model.weight.item()  # read",
            "d = model.weight.view(-1)[0].item()  # read",
            "w = next(model.parameters())\nd = w.sum().detach()\nd = w.item()  # read",
            "g = model.weight.grad\nd = g.item()  # read",
            "d = model.weight.detach().item()  # read",
            "w = weight_of(model)\nd = w.item()  # read",
            "w = current()\nd = w.item()  # read",
            "def same(a): return a\nw = same(model.weight)\nd = w.item()  # read",
            "w = F.relu(model.weight, inplace=True)\nd = w.item()  # read",
            "w = torch.flatten(model.weight)\nd = w.item()  # read",
            "w = model.weight.float()\nd = w.item()  # read",
            "w = model.weight if n else model(x)\nd = w.item()  # read",
            # it is changed
            "loss = model(x)\nd = loss.item()  # read\nloss.mul_(2)",
            "loss = model(x)\nd = loss.item()  # read\nloss /= 2",
            "loss = model(x)\nd = loss.item()  # read\nloss = 2 * loss",
            "loss = model(x)\nd = loss.item()  # read\nloss[0] = 2",
            "loss = model(x)\nd = loss.item()  # read\nloss.data.zero_()",
            "loss = model(x)\nd = loss.item()  # read\nloss.data = x",
            "loss = model(x)\nd = loss.item()  # read\ndel loss",
            "loss = model(x)\nd = loss.item()  # read\nfor loss in n: pass",
            "loss = model(x)\nd = loss.item()  # read\nimport loss",
            "loss = model(x)\nd = loss.item()  # read\ndef loss(): pass",
            "loss = model(x)\nd = loss.item()  # read\ntry: pass\nexcept E as loss: pass",
            "loss = model(x)\nview = loss.view(-1)\nd = loss.item()  # read\nview.mul_(2)",
            "loss = model(x)\nd = loss.item()  # read\nother = loss\nother.mul_(2)",
            "loss = model(x)\nd = loss.item()  # read\ntorch.relu_(loss)",
            "loss = model(x)\nd = loss.item()  # read\ntorch.exp(x, out=loss)",
            "loss = model(x)\nd = loss.item()  # read\nF.relu(loss, inplace=True)",
            "def halve(t): t /= 2\nloss = model(x)\nd = loss.item()  # read\nhalve(loss)",
            # its value is used before the barrier
            "loss = model(x)\nd = loss.item()  # read\nif d > 2: n = 1",
            "loss = model(x)\nd = loss.item()  # read\nprint(d)",
            "loss = model(x)\nd = loss.item()  # read\nd += 1",
            "out = model(x)\nd = out.mean().item()  # read\nprint(d)",
            # a way out lies in between
            "loss = model(x)\nd = loss.item()  # read\nif n: continue",
            "loss = model(x)\nd = loss.item()  # read\nif n: break",
            "loss = model(x)\nd = loss.item()  # read\nif n: raise E",
            # the rest of the statement would change
            "loss = model(x)\nd = loss.item() * n  # read\nn = 2",
            "loss = model(x)\nd = loss.item() * len(seen)  # read\nseen.append(x)",
            "loss = model(x)\nd = loss.item() * optimizer.param_groups[0]['lr']  # read",
            "loss = model(x)\nd = loss.item() * args.n  # read\nargs.n = 2",
            "loss = model(x)\nd = loss.item() * args.n  # read\nargs.update()",
            "loss = model(x)\nd = loss.item() + next(numbers)  # read",
            "loss = model(x)\nd = f'{loss} {next(numbers)}'  # read",
            "loss = model(x)\nd = print(loss)  # read",
            "loss = model(x)\nd = [loss.item()]  # read",
            # the target is more than a local name
            "loss = model(x)\nd['a'] = loss.item()  # read",
            "loss = model(x)\nd = e = loss.item()  # read",
            "loss = model(x)\nself.d = loss.item() + self.e  # read\nself.e = 2",
            "loss = model(x)\nself.d = loss.item()  # read\nreport(self)",
            "loss = model(x)\nself.d = loss.item()  # read\nlog(1)",
            "loss = model(x)\nself.d = loss.item()  # read\nprint(t.d)",
            "loss = model(x)\nd = []\nd.append(loss.item())  # read\nd.append(1)",
            "loss = model(x)\nd = []\ne = d\nd.append(loss.item())  # read\ne.append(1)",
            "loss = model(x)\nprint(loss)  # read\nprint(1)",
            "loss = model(x)\nprint(loss)  # read\nlog(1)",
            "def log(): print(1)\nloss = model(x)\nprint(loss)  # read\nlog()",
            "loss = model(x)\nif n: print(loss)  # read\nn = 2",
            "loss = model(x)\nif loss > 2: raise E  # read",
            "loss = model(x)\nlog(loss.item())  # read",
            "loss = model(x)\nd = loss.item()  # read\nnormalise(loss)",
            "loss = model(x)\ne = loss\nd = loss.item()  # read\ne += 1",
            "loss = model(x)\nd, e = loss.item(), 1  # read",
            "loss = model(x)\nd.append(loss.item())  # read",
            "loss = model(x)\nshow = lambda: d\nd = loss.item()  # read\nshow()",
            "loss = model(x)\nlate = (d for _ in n)\nd = loss.item()  # read\nlist(late)",
        ],
    )  # fmt: skip
    def test_must_stay(self, source: str) -> None:
        assert form(f"{source}\n{STEP}") is None

    def test_must_stay_where_another_function_sees_the_target(self) -> None:
        report = "def report():\n    print(total)\n"
        assert form(f"loss = model(x)\ntotal += loss.item()  # read\n{STEP}", report + TRAINING) is None

    def test_must_stay_where_the_loop_yields(self) -> None:
        source = f"loss = model(x)\ntotal += loss.item()  # read\nyield 1\n{STEP}"
        loop = "def f(total):\n    for x, y in loader:\n"
        context = facts(loop + textwrap.indent(source, "        ") + "\n")
        (found,) = context.loops.all()
        block = found.node.body
        assert not isinstance(context.steps.late_read(EarlyRead(block, 1, len(block) - 1, [])), LateRead)

    def test_must_stay_in_a_try(self) -> None:
        step = "loss = model(x)\ntotal += loss.item()\noptimizer.step()\ntorch_xla.sync()"
        source = f"try:\n{body(step)}except E:\n    pass"
        context = facts(TRAINING + body(source))
        (found,) = context.loops.all()
        (whole,) = found.node.body
        assert isinstance(whole, ast.Try)
        assert not isinstance(context.steps.late_read(EarlyRead(whole.body, 1, 3, [])), LateRead)


class TestEarlyReads:
    def early(self, source: str) -> list[str]:
        context = facts(TRAINING + body(source))
        (loop,) = context.loops.all()
        return [context.module.segment(early.statement) for early in context.steps.early_reads(loop)]

    def test_stand_between_device_work_and_the_barrier(self) -> None:
        assert self.early(f"loss = model(x)\nprint(loss)\n{STEP}") == ["print(loss)"]
        assert self.early(f"loss = model(x)\n{STEP}\nprint(loss)") == []

    def test_before_any_work_the_value_is_ready(self) -> None:
        assert self.early(f"print(loss)\nloss = model(x)\n{STEP}") == []

    def test_without_a_barrier_there_is_no_early(self) -> None:
        assert self.early("loss = model(x)\nprint(loss)\noptimizer.step()") == []

"""Host reads: what needs a tensor's value on the host, and what does not."""

from __future__ import annotations

import ast

import pytest

from xlaport.context import Context

from .source import facts

TENSOR = "x = model(y)\n"


def found(context: Context) -> list[tuple[str, bool]]:
    body = context.module.tree.body
    last = next(i for i, s in enumerate(body) if isinstance(s, ast.Assign) and context.module.segment(s) == TENSOR[:-1])
    return [(read.how, read.proven) for read in context.reads.within(body[last + 1 :])]


@pytest.mark.parametrize(
    "statement",
    [
        "x.shape", "x.shape[0]", "x.size(0)", "x.dim()", "len(x)", "x.dtype", "x.device", "x.numel()", "x.is_cuda",
        "x.detach()", "x.to(device)", "x.to(torch.float16)", "x.cuda()", "x.sum()", "x > 0", "x + 1", "x[0]",
        "if x is None: pass", "if x.shape[0] > 1: pass", "if len(x): pass", "if y: pass", "isinstance(x, T)",
        "float(len(x))", "int(x.shape[0])", "print(x.shape)", "print(1)", "print(f'{x.shape}')", "f'{n}'",
        "torch.zeros(1).item()", "h = torch.zeros(1)\nprint(h)", "h = torch.zeros(1)\nif h.sum() > 0: pass",
        "print(x.item)", "cpu()", "n.cpu()", "n.tolist()", "n.numpy()", "float(n)", "print(n)", "5 % x", "n % x",
        "range(3)", "range(len(x))", "math.sqrt(2)", "np.array([1])", "np.isnan(1.0)", "np.isnan(n)",
        "losses.append(x)", "torch.isnan(x)",
        "def f(): print(x)", "f = lambda: x.item()", "torch.where(x > 0, x, 0)", "n and m", "x if n else y",
    ],
)  # fmt: skip
def test_no_read(statement: str) -> None:
    assert found(facts(TENSOR + statement)) == []


@pytest.mark.parametrize(
    ("statement", "how"),
    [
        ("x.item()", ".item()"),
        ("x.sum().item()", ".item()"),
        ("x.tolist()", ".tolist()"),
        ("x.cpu()", ".cpu()"),
        ("x.detach().cpu().numpy()", ".cpu()"),
        ("x.numpy()", ".numpy()"),
        ("x.to('cpu')", '.to("cpu")'),
        ("x.to(device='cpu')", '.to("cpu")'),
        ("x.to(torch.device('cpu'))", '.to("cpu")'),
        ("float(x)", "float()"),
        ("int(x.sum())", "int()"),
        ("bool(x)", "bool()"),
        ("print(x)", "print()"),
        ("print('loss', x)", "print()"),
        ("str(x)", "str()"),
        ("f'{x}'", "an f-string"),
        ("f'{x:.3f}'", "an f-string"),
        ("print(f'{x}')", "an f-string"),
        ("'%s' % x", "% formatting"),
        ("'%s %s' % (n, x)", "% formatting"),
        ("'{}'.format(x)", ".format()"),
        ("'{a}'.format(a=x)", ".format()"),
        ("if x: pass", "a condition"),
        ("if x > 0: pass", "a condition"),
        ("if n and (x > 0).any(): pass", "a condition"),
        ("if not x: pass", "a condition"),
        ("while x < 1: pass", "a condition"),
        ("y if x else z", "a condition"),
        ("assert x", "a condition"),
        ("[i for i in y if x]", "a condition"),
        ("x and y", "a condition"),
        ("range(x)", "range()"),
        ("math.exp(x)", "math.exp()"),
        ("np.array(x)", "numpy.array()"),
        ("np.isnan(x)", "numpy.isnan()"),
        ("np.isfinite(x.detach())", "numpy.isfinite()"),
        ("torch.equal(x, y)", "torch.equal()"),
    ],
)
def test_read(statement: str, how: str) -> None:
    assert found(facts(TENSOR + statement)) == [(how, True)]


def test_item_of_something_unknown_is_likely() -> None:
    assert found(facts(TENSOR + "unknown.item()")) == [(".item()", False)]


def test_reads_come_in_source_order() -> None:
    assert [how for how, _ in found(facts(TENSOR + "a = x.item()\nprint(x)\nif x: pass"))] == [
        ".item()", "print()", "a condition",
    ]  # fmt: skip


def test_the_read_of_a_formatted_value_is_the_whole_string() -> None:
    context = facts(TENSOR + "print(f'a {x:{n}} b')")
    (read,) = context.reads.within(context.module.tree.body[-1:])
    assert isinstance(read.node, ast.JoinedStr)
    assert isinstance(context.module.parents[read.node], ast.Call)

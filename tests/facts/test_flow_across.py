"""Flow across files: where a value goes when it leaves its file."""

from __future__ import annotations

import ast

import pytest

from xlaport.facts.flow import Flow, Reach

from .project import path, program

V = "'cuda:7'"
SINK = "import torch\ndef use(device): torch.zeros(3).to(device)"
TRAINER = """\
import torch
class Trainer:
    def __init__(self, device): self.device = device
    def go(self): torch.zeros(3).to(self.device)
"""
CONFIG = f"from dataclasses import dataclass\n@dataclass\nclass Config:\n    lr: float = 1\n    device: str = {V}"


def reach(**sources: str) -> Reach:
    """What the string ``'cuda:7'``, which is in one of the files, reaches."""
    files = program(**sources)
    for name in sources:
        facts = files.facts(path(name))
        assert facts is not None
        view = files.seen_from(facts.file, facts.module)
        view.own = facts
        flow = Flow(view)
        for node in facts.module.nodes:
            if isinstance(node, ast.Constant) and node.value == "cuda:7":
                return flow.reach(node, facts)
    raise AssertionError("no 'cuda:7'")


def sinks(**sources: str) -> list[tuple[str, str]]:
    return [(s.kind.name, s.facts.file.rpartition("/")[2].removesuffix(".py")) for s in reach(**sources).sinks]


@pytest.mark.parametrize(
    "sources",
    [
        {"a": f"D = {V}", "b": "import torch\nfrom a import D\ntorch.device(D)"},
        {"a": f"D = {V}", "b": "import torch\nfrom a import D as E\nF = E\ntorch.device(F)"},
        {"a": f"D = {V}", "b": "import torch\nimport a\ntorch.device(a.D)"},
        {"a": f"D = {V}", "b": "import torch\nfrom a import *\ntorch.device(D)"},
        {"a": f"D = {V}", "c": "from a import D", "b": "import torch, c\ntorch.device(c.D)"},
        {"pkg__": "from .a import D", "pkg__a": f"D = {V}", "b": "import torch, pkg\ntorch.device(pkg.D)"},
        {"a": f"from b import use\nuse({V})", "b": SINK},
        {"a": f"import b\nb.use(device={V})", "b": SINK},
        {"a": f"import b\nb.use(**{{'device': {V}}})", "b": SINK},
        {"a": f"import b\noptions = dict(device={V})\nb.use(**options)", "b": SINK},
        {"a": f"import b, functools\nf = functools.partial(b.use, device={V})\nf()", "b": SINK},
        {"a": f"def d(): return {V}", "b": "import torch, a\ntorch.device(a.d())"},
        {"a": f"def d(): return {V}", "b": "import torch, a\nx = a.d()\ndef f(): torch.device(x)"},
        {"a": f"from b import Trainer\nTrainer({V})", "b": TRAINER},
        {"a": f"from b import Trainer\nTrainer(device={V}).go()", "b": TRAINER},
        {"a": f"import b\nclass Mine(b.Trainer): pass\nMine({V})", "b": TRAINER},
        {"a": f"import b\nclass Mine(b.Trainer):\n    def __init__(self): self.device = {V}", "b": TRAINER},
        {"a": f"import b\nt = b.Trainer(None)\nt.device = {V}", "b": TRAINER},
        {"a": f"from b import Trainer\nt = Trainer(1)\nt.use({V})",
         "b": "import torch\nclass Trainer:\n    def use(self, d): torch.device(d)"},
        {"a": f"class T:\n    device = {V}", "b": "import torch, a\nt = a.T()\ntorch.device(t.device)"},
        {"a": f"class T:\n    device = {V}", "b": "import torch, a\ntorch.device(a.T.device)"},
        {"a": CONFIG, "b": "import torch\nfrom a import Config\ncfg = Config()\ntorch.device(cfg.device)"},
        {"a": CONFIG, "b": "import torch\nfrom a import Config\ndef f(cfg: Config): torch.device(cfg.device)"},
        {"a": CONFIG, "b": "import torch\nimport a\ndef f(cfg: 'a.Config | None' = None):\n    c = a.Config()\n"
         "    torch.device(c.device)"},
        {"a": CONFIG, "b": "import torch\nfrom a import Config\nclass T:\n"
         "    def __init__(self, cfg: Config): self.cfg = cfg\n"
         "    def f(self): torch.device(self.cfg.device)"},
        {"a": CONFIG, "b": "import torch\nfrom a import Config\ndef f(cfg): torch.device(cfg.device)\nf(Config())"},
        {"a": CONFIG.replace(f": str = {V}", ": str"),
         "c": f"from a import Config\nfrom b import f\nf(Config(2, {V}))",
         "b": "import torch\nfrom a import Config\ndef f(cfg: Config): torch.device(cfg.device)"},
        {"a": f"config = {{'device': {V}}}", "b": "import torch\nfrom a import config\ntorch.device(config['device'])"},
        {"a": f"config = {{'model': {{'device': {V}}}}}", "b": "import torch, a\n"
         "torch.device(a.config['model']['device'])"},
        {"a": f"config = {{'device': {V}}}", "b": "import torch, a\ntorch.device(a.config.get('device', 'cpu'))"},
        {"a": f"config = {{}}\nconfig['device'] = {V}", "b": "import torch, a\ntorch.device(a.config['device'])"},
        {"a": f"import b\nb.f({{'device': {V}}})", "b": "import torch\ndef f(cfg): torch.device(cfg['device'])"},
        {"a": f"import b\nb.f(device={V})", "b": "import torch\ndef f(**cfg): torch.device(cfg['device'])"},
        {"a": f"def parse(p):\n    p.add_argument('--device', default={V})\n    return p.parse_args()",
         "b": "import torch, a\nargs = a.parse(p)\ntorch.device(args.device)"},
        {"a": f"p.add_argument('--device', default={V})\nargs = p.parse_args()",
         "b": "import torch\nfrom a import args\ndef f(): torch.device(args.device)"},
        {"a": f"import b\np.add_argument('--device', default={V})\nb.main(p.parse_args())",
         "b": "import torch\ndef main(anything): torch.device(anything.device)"},
        {"a": f"import b\np.add_argument('--device', default={V})\nopts, _ = p.parse_known_args()\nb.T(opts)",
         "b": "import torch\nclass T:\n    def __init__(self, o): self.o = o\n"
         "    def f(self): torch.device(self.o.device)"},
        {"a": f"import b\np.add_argument('--device', default={V})\nb.f(**vars(p.parse_args()))",
         "b": "import torch\ndef f(lr, device): torch.device(device)"},
        {"a": f"def add(parser): parser.add_argument('--device', default={V})",
         "b": "import argparse, torch, a\nparser = argparse.ArgumentParser()\na.add(parser)\n"
         "args = parser.parse_args()\ntorch.device(args.device)"},
        {"a": f"import b\nargs = p.parse_args()\nargs.device = {V}\nb.f(args)",
         "b": "import torch\ndef f(x): torch.device(x.device)"},
        {"a": f"def fix(args): args.device = {V}",
         "b": "import torch, a\nargs = p.parse_args()\na.fix(args)\ntorch.device(args.device)"},
        {"a": f"import b, torch.multiprocessing as mp\nmp.spawn(b.work, args=(2, {V}))",
         "b": "import torch\ndef work(rank, size, device): torch.device(device)"},
        {"a": f"from yacs.config import CfgNode as Node\n"
         f"_C = Node()\n_C.MODEL = Node()\n_C.MODEL.DEVICE = {V}\ndef get_cfg(): return _C.clone()",
         "b": "import torch, a\ncfg = a.get_cfg()\ntorch.device(cfg.MODEL.DEVICE)"},
        {"a": f"def parse():\n    p.add_argument('--device', default={V})\n    return p.parse_args(), 'text'",
         "b": "import torch, a\nargs, text = a.parse()\ntorch.device(args.device)"},
        {"a": f"def d(): return 1, {V}", "b": "import torch, a\nx, y = a.d()\ntorch.device(y)"},
        {"a": f"import b\nclass Mine(b.Trainer):\n    def __init__(self, d={V}):\n        super().__init__(device=d)",
         "b": TRAINER},
        {"a": f"flags.DEFINE_string('device', {V}, 'help')", "b": "import torch, a\ntorch.device(FLAGS.device)"},
        {"a": f"class T:\n    @property\n    def device(self): return {V}", "b": "import torch, a\n"
         "torch.device(a.T().device)"},
    ],
)  # fmt: skip
def test_the_ways_of_a_value_to_another_file(sources: dict[str, str]) -> None:
    assert sinks(**sources) == [("DEVICE", "b")]


@pytest.mark.parametrize(
    "source",
    [
        f"import click\n@click.command()\n@click.option('--device', default={V})\n"
        f"def main(device): torch.device(device)",
        f"def main(device: str = typer.Option({V})): torch.device(device)",
        f"d = os.environ.get('DEVICE', {V})\ntorch.device(d)",
        f"d = os.getenv('DEVICE', {V})\ntorch.device(d)",
        f"d = getattr(args, 'device', {V})\ntorch.device(d)",
        f"torch.device(args.device or {V})",
        f"d = {V}\ntorch.device(str(d))",
        f"p.set_defaults(device={V})\nargs = p.parse_args()\ntorch.device(args.device)",
        f"from types import SimpleNamespace\nc = SimpleNamespace(device={V})\ntorch.device(c.device)",
        f"from easydict import EasyDict\nc = EasyDict({{'device': {V}}})\ntorch.device(c.device)",
        f"c = {{**other, 'device': {V}}}\ntorch.device(c['device'])",
    ],
)
def test_more_ways_inside_a_file(source: str) -> None:
    assert sinks(a=f"import torch, os\n{source}") == [("DEVICE", "a")]


@pytest.mark.parametrize(
    "sources",
    [
        {"a": f"D = {V}", "b": "import torch\nfrom c import D\ntorch.device(D)"},
        {"a": f"D = {V}", "b": "import torch, a\nD = 1\ntorch.device(D)"},
        {"a": f"D = {V}", "b": "import torch\nfrom a import D\ndef f(D): torch.device(D)"},
        {"a": f"D = {V}", "b": "import torch\nfrom a import E as D\ntorch.device(D)"},
        {"a": f"def f():\n    D = {V}", "b": "import torch\nfrom a import D\ntorch.device(D)"},
        {"a": f"from b import use\nuse(1, {V})", "b": "import torch\ndef use(d, label): torch.device(d)"},
        {"a": f"from b import use\nuse(device={V})", "b": "def use(device): print(device)"},
        {"a": f"from other import use\nuse(device={V})", "b": SINK},
        {"a": f"from b import Trainer\nTrainer(name={V})", "b": TRAINER},
        {"a": f"class T:\n    device = {V}", "b": "import torch, a\nclass U:\n    device = 1\n"
         "torch.device(U().device)"},
        {"a": f"class T:\n    device = {V}", "b": "import torch, a\ndef f(x): torch.device(x.device)"},
        {"a": CONFIG, "b": "import torch\nfrom a import Config\ncfg = Config()\ntorch.device(cfg.lr)"},
        {"a": CONFIG, "b": "import torch\nfrom a import Config\nfrom c import Other\n"
         "def f(cfg: Other): torch.device(cfg.device)"},
        {"a": f"config = {{'device': {V}}}", "b": "import torch, a\ntorch.device(a.config['name'])"},
        {"a": f"names = {{'cuda': {V}}}", "b": "import torch, a\ntorch.device(a.names['cpu'])"},
        {"a": f"config = {{{V}: 1}}", "b": "import torch, a\ntorch.device(a.config['device'])"},
        {"a": f"import b\np.add_argument('--device', default={V})\nb.main(p.parse_args())",
         "b": "import torch\ndef main(o): torch.device(o.gpu)"},
        {"a": f"p.add_argument('--device', default={V})\np.parse_args()", "b": "import torch, a\n"
         "def f(x): torch.device(x.device)"},
        {"a": f"p.add_argument('--device', help={V})\nargs = p.parse_args()", "b": "import torch, a\n"
         "torch.device(a.args.device)"},
        {"a": f"p.add_argument('--device', default={V})\nargs = p.parse_args()", "b": "import torch\n"
         "def f(args): torch.device(args.device)"},
        {"a": f"def d(): return {V}, 1", "b": "import torch, a\nx, y = a.d()\ntorch.device(y)"},
        {"a": f"import numpy as np\nnp.array([{V}])", "b": SINK},
        {"a": f"import b\nb.use.device = {V}", "b": SINK},
    ],
)  # fmt: skip
def test_what_does_not_reach_a_device(sources: dict[str, str]) -> None:
    assert sinks(**sources) == []


def test_comparisons_in_another_file() -> None:
    found = reach(
        a=f"import b\nb.f({V})",
        b="def f(d):\n    if d == 'cpu' or d.startswith('mps'): pass\n    match d:\n        case 'xla': pass",
    )
    assert [ast.literal_eval(spot.node) for spot in found.comparisons] == ["cpu", "mps", "xla"]


def test_a_method_that_hands_its_arguments_on() -> None:
    pipeline = "class Pipeline:\n    def to(self, *args, **kwargs): pass"
    assert sinks(a=f"import b\nclass Mine(b.Pipeline):\n    def f(self): self.to({V})", b=pipeline) == [("DEVICE", "a")]


def test_files_that_import_each_other() -> None:
    assert sinks(a=f"import b, torch\nD = {V}\nD = b.E\ntorch.device(D)", b="import a\nE = a.D") == [("DEVICE", "a")]

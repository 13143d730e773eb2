"""Runs a model over texts as a program pads them, and as its port does, on the CPU and on XLA; prints the results."""

from __future__ import annotations

import ast
import json
import tempfile
from pathlib import Path
from typing import Any

CASE = Path(__file__).parents[1] / "snapshots" / "XP413" / "cut-texts-unsafe"
NAMES = ("short", "own", "uncut")
"""The calls of the case, by the names that they are assigned to."""
BATCHES = (["a b", "c"], ["a b c a b c", "b a"], ["a " * 50, "c"])


def calls(file: str) -> dict[str, str]:
    """The text of each call of the tokenizer, without the move behind it."""
    tree = ast.parse((CASE / file).read_text(encoding="utf-8"))
    found: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id in NAMES:
            assert isinstance(node.value, ast.Call)
            assert isinstance(node.value.func, ast.Attribute)
            found[node.targets[0].id] = ast.unparse(node.value.func.value)
    return found


def main() -> None:
    """Print, for each call: the widths, and by device the masked loss and its gradient, before and after."""
    import torch
    import torch_xla
    from torch import nn
    from transformers import BertTokenizer

    xla = torch_xla.device()
    with tempfile.TemporaryDirectory() as folder:
        words = Path(folder) / "vocab.txt"
        words.write_text("\n".join(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "a", "b", "c"]), encoding="utf-8")
        maker: Any = BertTokenizer  # its signature is not typed
        tokenizer = maker(str(words), model_max_length=64)
    results: dict[str, Any] = {name: {"widths": [], "cpu": [], "xla": []} for name in NAMES}
    for name, texts in ((name, texts) for name in NAMES for texts in BATCHES):
        widths = []
        for file in ("before.py", "after.py"):
            batch = eval(calls(file)[name], {"tokenizer": tokenizer, "texts": texts})
            widths.append(batch.input_ids.size(1))
            for kind, device in (("cpu", torch.device("cpu")), ("xla", xla)):
                torch.manual_seed(0)
                embedding = nn.Embedding(8, 16)
                layer = nn.TransformerEncoderLayer(16, 2, 32, dropout=0.0, batch_first=True)
                embedding, layer = embedding.to(device), layer.to(device)
                ids, mask = batch.input_ids.to(device), batch.attention_mask.to(device)
                out = layer(embedding(ids), src_key_padding_mask=mask == 0)
                loss = (out.square() * mask[:, :, None]).sum() / mask.sum()
                loss.backward()
                assert embedding.weight.grad is not None
                results[name][kind].append([loss.item(), *embedding.weight.grad.sum(1).cpu().tolist()])
        results[name]["widths"].append(widths)
    print(json.dumps(results))


if __name__ == "__main__":
    main()

import torch
import torch_xla
from torch import nn


def frozen(scores: torch.Tensor, over: torch.Tensor) -> torch.Tensor:
    """What is over keeps its place: tensors, and no model."""
    first = torch.zeros_like(scores)
    first[:, 0] = 1.0
    return torch.where(over.unsqueeze(-1), first, softened(scores))


def softened(scores: torch.Tensor) -> torch.Tensor:
    return scores.clamp(min=-1e4).softmax(-1)


class Search(nn.Module):
    """A search through all scores at once: the model has run before, and its passes are one graph."""

    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(8, 8).to(torch_xla.device())

    @torch.no_grad()
    def best(self, logits: torch.Tensor, mask: torch.Tensor):
        total = frozen(logits[:, 0, :], mask[:, 0])
        over = mask[:, 0]
        path = total.argmax(-1, keepdim=True)
        for i in range(1, logits.size(1)):
            total = total + frozen(logits[:, i, :] * total, over)
            path = torch.cat([path, total.argmax(-1, keepdim=True)], dim=1)
            over = mask[:, i]
        return path

    @torch.no_grad()
    def watched(self, logits: torch.Tensor, mask: torch.Tensor):
        """A pass that is read is a graph of its own."""
        total = frozen(logits[:, 0, :], mask[:, 0])
        for i in range(1, logits.size(1)):
            total = frozen(total, mask[:, i])
            batch_value = total.max()
            torch_xla.sync()
            print(batch_value.item())
        return total

    @torch.no_grad()
    def by_steps(self, start: torch.Tensor, n):
        state = start
        for i in range(n):
            state = self.advanced(state, start[:, i])
            torch_xla.sync()
        return state

    def advanced(self, state: torch.Tensor, part: torch.Tensor) -> torch.Tensor:
        """The same with a model in it: each pass is a step."""
        return self.encoder(state) + part


search = Search()
x = torch.randn(2, 5, 8, device=torch_xla.device())
search.best(search.encoder(x), x[..., 0] > 2)
search.watched(search.encoder(x), x[..., 0] > 2)
search.by_steps(x[:, 0], 5)

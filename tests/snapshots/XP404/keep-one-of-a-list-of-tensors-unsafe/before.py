import torch
from torch import nn


class Criterion(nn.Module):
    def forward(self, scores, outlines, boxes: list[torch.Tensor], kept, step):
        """Compares what is seen with what is drawn, which has another size in each step.

        Args:
            scores: one row for each object
            outlines (list<tensor>): one of them for each step
            step: counts the steps
        """
        return self.compared(scores, outlines, step) + self.placed(scores, boxes, kept, step)

    def compared(self, scores, outlines, step):
        return (scores - outlines[step].mean(0)).abs().sum()

    def placed(self, scores, boxes, kept, step):
        return (scores - boxes[step] - kept[step]).abs().sum()


model = nn.Linear(4, 4).to("cuda")
criterion = Criterion().to("cuda")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
drawn = [torch.zeros(n, 4, device="cuda") for n in range(1000)]
for step in range(1000):
    out = model(torch.zeros(8, 4, device="cuda"))
    loss = criterion(out, drawn, drawn, [x.mean() for x in drawn], step)
    loss.backward()
    optimizer.step()

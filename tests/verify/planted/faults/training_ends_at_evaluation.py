# planted: not-training
# says: From its step 5 on, AdamW does not train its model
# A trainer that evaluates on the host after each epoch, accumulates gradients, and sets them to zeros.
import torch
import torch_xla
from torch import nn


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(8, 8, batch_first=True)
        self.head = nn.Linear(8, 2)

    def forward(self, x):
        return self.head(self.lstm(x)[0])


class Trainer:
    def __init__(self):
        self.device = torch_xla.device()
        self.model = Tagger().to(self.device)
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=1e-3)

    def evaluate(self):
        self.model.eval().to("cpu")  # <- here
        with torch.no_grad():
            self.model(torch.randn(2, 3, 8))
        self.model.train().to(self.device)

    def epoch(self):
        for batch in range(8):
            self.model(torch.randn(4, 3, 8).to(self.device)).pow(2).mean().backward()
            if batch % 2:
                self.optimizer.step()
                self.optimizer.zero_grad(set_to_none=False)
            torch_xla.sync()


trainer = Trainer()
for _ in range(4):
    trainer.epoch()
    trainer.evaluate()

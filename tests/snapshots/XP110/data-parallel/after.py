from torch import nn

model = nn.Linear(2, 2)
model.train()

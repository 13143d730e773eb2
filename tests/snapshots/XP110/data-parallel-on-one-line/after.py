from torch import nn

model = nn.Linear(2, 2)

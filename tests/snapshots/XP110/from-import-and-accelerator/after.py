import torch as t

model = t.nn.Linear(2, 2)

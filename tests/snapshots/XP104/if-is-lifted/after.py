import torch

model = torch.nn.Linear(2, 2)
# the fast way
model.eval()

print("done")  # really

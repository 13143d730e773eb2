import torch

model = torch.nn.Linear(2, 2)
if torch.cuda.is_available():
    model = model.cuda()

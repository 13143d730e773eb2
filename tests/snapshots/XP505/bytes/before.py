import torch

data = torch.frombuffer(bytearray(8), dtype=torch.float16)
stored = torch.zeros(4, dtype=torch.int16).view(torch.float16)
model = torch.nn.Linear(4, 4).to("cuda").half()

import torch

model = torch.nn.Linear(2, 2)
print("CUDA", torch.version.cuda)
print("GPUs", torch.cuda.device_count())
model.train()

import torch

model = torch.nn.Linear(2, 2)
if torch.cuda.is_available():
    print("CUDA", torch.version.cuda)
    print("GPUs", torch.cuda.device_count())
    model.train()

import torch

model = torch.nn.Linear(2, 2)
if torch.cuda.device_count() > 0:
    model.train()
if torch.cuda.device_count():
    model.eval()
if torch.cuda.device_count() == 0:
    raise RuntimeError("no GPU")
if not torch.cuda.device_count():
    print("slow")
assert torch.cuda.device_count() >= 1, "no GPU"
has_gpu = 0 < torch.cuda.device_count()
flag = bool(torch.cuda.device_count())
workers = 4 if torch.cuda.device_count() != 0 else 0

import acme_jobs
import torch
from acme_gpu import to_gpu

model = to_gpu(torch.nn.Linear(8, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
rows = to_gpu(torch.randn(4, 8))
print(model(rows).shape)
acme_jobs.submit("train.py", queue="gpu-a100")

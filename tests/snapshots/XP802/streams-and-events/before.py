import torch
from torch import cuda
from torch.cuda import Event

start = Event(enable_timing=True)
stream = cuda.Stream()
with torch.cuda.stream(stream):
    pass
torch.cuda.current_stream().wait_stream(stream)

import torch

stream = torch.cuda.Stream()
if hasattr(stream, "query"):
    x = torch.zeros(3)
    x.record_stream(stream)
f"{torch.cuda.memory_summary()}"
handlers = [torch.cuda.ipc_collect, torch.cuda]

import torch
import torch_xla
import torch_xla.core.xla_model as xm

model = torch.nn.Linear(4, 4).to(torch_xla.device()).eval()
x = torch.randn(2, 4, device=torch_xla.device())


def bench():
    start = torch.cuda.Event(enable_timing=True)
    end = torch.cuda.Event(enable_timing=True)
    times = []
    with torch.no_grad():
        for _ in range(10):
            torch_xla.sync()
            xm.wait_device_ops()
            start.record()
            model(x)
            end.record()
            torch_xla.sync()
            xm.wait_device_ops()
            times.append(start.elapsed_time(end))
    return sum(times) / len(times)


print(bench())

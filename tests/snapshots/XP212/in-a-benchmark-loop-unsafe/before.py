import torch

model = torch.nn.Linear(4, 4).to("cuda").eval()
x = torch.randn(2, 4, device="cuda")


def bench():
    start = torch.cuda.Event(enable_timing=True)
    end = torch.cuda.Event(enable_timing=True)
    times = []
    with torch.no_grad():
        for _ in range(10):
            torch.cuda.synchronize()
            start.record()
            model(x)
            end.record()
            torch.cuda.synchronize()
            times.append(start.elapsed_time(end))
    return sum(times) / len(times)


print(bench())

import contextlib
import time

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


@contextlib.contextmanager
def timed(times):
    start = time.time()
    yield
    times.append(time.time() - start)


def main():
    torch.manual_seed(30)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    loader = DataLoader(TensorDataset(torch.randn(96, 8), torch.randn(96, 1)), batch_size=16, shuffle=True)
    model = nn.Linear(8, 1).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    precision = contextlib.nullcontext()
    times = []
    for epoch in range(4):
        for x, y in loader:
            with timed(times):
                x, y = x.to(device), y.to(device)
                with torch.profiler.record_function("forward"), precision:
                    loss = nn.functional.mse_loss(model(x), y)
                with torch.profiler.record_function("backward"):
                    optimizer.zero_grad()
                    loss.backward()
                    optimizer.step()
        print(f"epoch {epoch}: {loss.item():.4f} in {len(times)} steps")
    return {"model": model, "optimizer": optimizer}


if __name__ == "__main__":
    main()

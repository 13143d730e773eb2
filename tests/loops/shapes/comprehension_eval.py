import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def main():
    torch.manual_seed(91)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    loader = DataLoader(TensorDataset(torch.randn(192, 8), torch.randint(0, 3, (192,))), batch_size=16)
    model = nn.Linear(8, 3).to(device).eval()
    for scale in (1.0, 0.5, 0.25):
        with torch.no_grad():
            model.weight.mul_(scale)
            correct = sum((model(x.to(device)).argmax(1) == y.to(device)).sum().item() for x, y in loader)
            print(f"scale {scale}: {correct} of {len(loader.dataset)}")
            outputs = torch.cat([model(x.to(device)) for x, _ in loader]).cpu()
        print(f"mean {outputs.mean().item():.4f}")
    return {"model": model, "outputs": outputs, "correct": correct}


if __name__ == "__main__":
    main()

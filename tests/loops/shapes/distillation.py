import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


def main():
    torch.manual_seed(37)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    loader = DataLoader(TensorDataset(torch.randn(96, 8), torch.randint(0, 3, (96,))), batch_size=16, shuffle=True)
    teacher = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 3)).to(device).eval()
    student = nn.Linear(8, 3).to(device)
    optimizer = torch.optim.SGD(student.parameters(), lr=0.1)
    T = 4.0
    for epoch in range(4):
        student.train()
        correct = 0
        for x, y in loader:
            x, y = x.to(device), y.to(device)
            with torch.no_grad():
                soft = F.softmax(teacher(x) / T, dim=1)
            logits = student(x)
            kd = F.kl_div(F.log_softmax(logits / T, dim=1), soft, reduction="batchmean") * T * T
            loss = 0.5 * kd + 0.5 * F.cross_entropy(logits, y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            correct += (logits.argmax(dim=1) == y).sum().item()
        print(f"epoch {epoch}: {100.0 * correct / len(loader.dataset):.2f}%")
    return {"teacher": teacher, "student": student, "optimizer": optimizer, "correct": correct}


if __name__ == "__main__":
    main()

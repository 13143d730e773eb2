import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def main():
    torch.manual_seed(77)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    loader = DataLoader(TensorDataset(torch.randn(96, 8), torch.randint(0, 2, (96,))), batch_size=16, shuffle=True)
    model = nn.Linear(8, 2).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    for epoch in range(4):
        train_loss, y_true, y_pred = [], [], []
        for x, y in loader:
            logits = model(x.to(device))
            loss = nn.functional.cross_entropy(logits, y.to(device))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            train_loss.append(loss.detach().cpu().numpy())
            y_pred.extend(logits.argmax(1).cpu().tolist())
            y_true.extend(y.tolist())
        accuracy = np.mean(np.array(y_true) == np.array(y_pred))
        print(f"epoch {epoch}: loss {np.mean(train_loss):.4f} accuracy {accuracy:.4f}")
    return {"model": model, "optimizer": optimizer, "y_pred": y_pred}


if __name__ == "__main__":
    main()

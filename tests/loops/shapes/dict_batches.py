import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset


class Tokens(Dataset):
    def __init__(self, n):
        self.ids = torch.randint(0, 20, (n, 6))
        self.labels = torch.randint(0, 2, (n,))

    def __len__(self):
        return len(self.ids)

    def __getitem__(self, i):
        return {"input_ids": self.ids[i], "attention_mask": torch.ones(6), "labels": self.labels[i]}


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(20, 8)
        self.head = nn.Linear(8, 2)

    def forward(self, input_ids, attention_mask, labels):
        pooled = (self.embed(input_ids) * attention_mask.unsqueeze(-1)).mean(1)
        return nn.functional.cross_entropy(self.head(pooled), labels)


def main():
    torch.manual_seed(55)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    train_dataloader = DataLoader(Tokens(96), shuffle=True, batch_size=16)
    model = Classifier()
    model.to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3)
    model.train()
    for epoch in range(4):
        for batch in train_dataloader:
            batch = {k: v.to(device) for k, v in batch.items()}
            loss = model(**batch)
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
        print(f"epoch {epoch}: {loss.item():.4f}")
    return {"model": model, "optimizer": optimizer}


if __name__ == "__main__":
    main()

# The last batch of an epoch is smaller; batches are dictionaries, moved part by part.
# says: batch['pixels']: f32[8,8] became f32[6,8]
# says: , the last batch of the loader (70 samples in batches of 8); batch['label'] too
# says: Once is fine; `drop_last=True` or padding avoids it
import torch
import torch_xla
from torch import nn
from torch.utils.data import DataLoader

device = torch_xla.device()
torch.manual_seed(0)


class Data(torch.utils.data.Dataset):
    def __len__(self):
        return 70

    def __getitem__(self, index):
        return {"pixels": torch.randn(8), "label": torch.tensor(index % 2)}


model = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def train_step(batch):
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(batch["pixels"]), batch["label"]).backward()
    optimizer.step()


for epoch in range(2):
    for batch in DataLoader(Data(), batch_size=8):
        batch = {name: value.to(device) for name, value in batch.items()}
        train_step(batch)
        torch_xla.sync()

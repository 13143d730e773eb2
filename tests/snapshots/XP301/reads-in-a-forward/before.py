import numpy as np
import torch


class Encoder(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.model = torch.nn.Conv2d(3, 3, 3, padding=1)

    def scale(self, kinds: torch.Tensor):
        return kinds.max().item()

    def forward(self, image, kinds):
        largest = kinds.max().item()
        with torch.no_grad():
            for kind in np.unique(kinds.cpu().numpy()):
                image = image + float(kind)
                while image.shape[0] > 9:
                    print(image.sum().item())
        return self.model(image) / (largest + self.scale(kinds))


net = Encoder().to("cuda")
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for image, kinds in [(torch.rand(1, 3, 8, 8), torch.randint(3, (1, 1, 8, 8)))] * 4:
    loss = net(image.to("cuda"), kinds.to("cuda")).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

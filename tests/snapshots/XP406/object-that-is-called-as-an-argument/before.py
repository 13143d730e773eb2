import numpy as np
import torch


class SMOTE:
    def __init__(self, device_name="auto", p=0.8):
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        self.p = p

    def __call__(self, X, y):
        batch_size = X.shape[0]
        idx = torch.rand(batch_size, device=self.device) < self.p
        betas = torch.from_numpy(np.random.beta(0.5, 0.5, batch_size)).to(self.device).float()
        X[idx] = betas[idx, None] * X[idx]
        return X, y


class Model:
    def fit(self, batches, augmentations=None):
        self.augmentations = augmentations
        net = torch.nn.Linear(4, 1).cuda()
        opt = torch.optim.SGD(net.parameters(), 0.1)
        for X, y in batches:
            X, y = X.cuda().float(), y.cuda().float()
            if self.augmentations is not None:
                X, y = self.augmentations(X, y)
            loss = (net(X)[:, 0] - y).pow(2).mean()
            opt.zero_grad()
            loss.backward()
            opt.step()


Model().fit([(torch.rand(8, 4), torch.rand(8)) for _ in range(6)], SMOTE())

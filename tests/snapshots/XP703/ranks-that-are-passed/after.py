import torch_xla
import torch_xla.core.xla_model as xm
from torch import nn


class Trainer:
    def __init__(self, gpu_id):
        self.gpu_id = gpu_id
        self.model = nn.Linear(4, 2).to(torch_xla.device())

    def train(self, epochs):
        for epoch in range(epochs):
            self.run(epoch)
            if epoch % 5 == 0:
                xm.save(self.model.state_dict(), "model.pt", global_master=True)

    def run(self, epoch):
        print(epoch)


def main(rank, epochs):
    Trainer(rank).train(epochs)
    xm.save({"epochs": epochs}, "meta.pt", global_master=True)


torch_xla.launch(main, args=(3,))

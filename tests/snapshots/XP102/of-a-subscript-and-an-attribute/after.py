import torch
import torch_xla


def step(batch, self):
    return batch["x"].to(torch_xla.device()), self.model.to(torch_xla.device()), batch[0].to(torch_xla.device())

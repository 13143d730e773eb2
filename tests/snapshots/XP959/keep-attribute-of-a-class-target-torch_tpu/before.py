import torch


class Trainer:
    import torch_xla.core.xla_model as xm

    if torch.backends.mkldnn.is_available():
        from torch_xla import runtime

    def wait(self):
        self.xm.rendezvous("a")
        return Trainer.runtime.world_size()

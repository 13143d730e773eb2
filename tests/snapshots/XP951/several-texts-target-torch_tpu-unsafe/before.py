import torch_xla.core.xla_model as xm
import torch_xla.runtime as xr


def log(epoch, loss):
    xm.master_print(
        f"epoch {epoch} of {xr.world_size()}, "
        f"loss: {loss:.4f}"
    )
    xm.master_print(
        """one text
        of two lines"""
    )

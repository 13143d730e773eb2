import torch_xla.core.xla_model as xm
import os


def log(epoch, loss):
    if int(os.environ.get("RANK", "0")) == 0:
        print(
            f"epoch {epoch} of {int(os.environ.get('WORLD_SIZE', '1'))}, "
            f"loss: {loss:.4f}"
        )
    xm.master_print(
        """one text
        of two lines"""
    )

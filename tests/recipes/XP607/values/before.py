import torch
import torch_xla

import torch_xla.core.xla_model as xm


def train(index):
    talks = xm.is_master_ordinal()
    if talks:
        xm.rendezvous("done")


torch_xla.launch(train)

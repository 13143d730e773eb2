import shutil

import torch_xla.distributed.xla_multiprocessing as xmp
import torch_xla.core.xla_model as xm
from torch import nn


def save_checkpoint(state, is_best):
    xm.save(state, "last.pt")
    if is_best:
        shutil.copyfile("last.pt", "best.pt")


def finish(model):
    if not xm.is_master_ordinal():
        return
    xm.save(model.state_dict(), "last.pt")
    print("done")


def main(index):
    model = nn.Linear(4, 2).to(xm.xla_device())
    best = 0.0
    for epoch in range(3):
        accuracy = evaluate(model)
        if xm.is_master_ordinal():
            save_checkpoint({"model": model.state_dict(), "epoch": epoch}, accuracy > best)
        best = max(accuracy, best)
    if xm.is_master_ordinal():
        print("last")
        xm.save(model.state_dict(), "last.pt")
    xm.mark_step()
    if xm.is_master_ordinal():
        print("last")
        xm.save(model.state_dict(), "last.pt")
    finish(model)


xmp.spawn(main)

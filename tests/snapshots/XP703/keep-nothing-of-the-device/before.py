import torch
import torch_xla
import torch_xla.core.xla_model as xm
import torch_xla.runtime as xr


def main(index):
    model = torch.nn.Linear(4, 2).to(torch_xla.device())
    if xm.is_master_ordinal():
        print("saved")
        torch.save({"epoch": 3}, "meta.pt")
    if xr.global_ordinal() == 0:
        with open("log.txt", "w") as file:
            file.write("done")
    xm.save(model.state_dict(), "model.pt")
    if model.training:
        xm.save(model.state_dict(), "model.pt")


torch_xla.launch(main)

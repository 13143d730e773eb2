import torch


def smart_inference_mode(is_new=True):
    def decorate(fn):
        return (torch.inference_mode if is_new else torch.no_grad)()(fn)

    return decorate


@smart_inference_mode()
def run(model, x):
    return model(x.to("cuda"))


mode = torch.no_grad if torch.__version__ < "1.9" else torch.inference_mode
with mode():
    run(torch.nn.Linear(2, 2).cuda(), torch.ones(2))


def asked():
    with (torch.inference_mode if is_known() else torch.no_grad)():
        return model(x)


switch = torch.no_grad if old else torch.inference_mode

import torch


def smart_inference_mode(is_new=True):
    def decorate(fn):
        return torch.no_grad()(fn)

    return decorate


@smart_inference_mode()
def run(model, x):
    return model(x.to("cuda"))


mode = torch.no_grad
with mode():
    run(torch.nn.Linear(2, 2).cuda(), torch.ones(2))


def asked():
    with (torch.no_grad if is_known() else torch.no_grad)():
        return model(x)


switch = torch.no_grad

import torch_xla


def step(model, batch, wait):
    loss = model(batch).sum()
    loss.backward()
    torch_xla.sync()
    torch_xla.sync(wait=True)
    torch_xla.sync(wait)
    torch_xla.sync(True, False)
    torch_xla.sync(reset_scope=False)  # its scopes stay
    return loss


hooks = [torch_xla.sync]

import torch_xla.core.xla_model as xm


def step(model, batch, wait):
    loss = model(batch).sum()
    loss.backward()
    xm.mark_step()
    xm.mark_step(wait=True)
    xm.mark_step(wait)
    xm.mark_step(True, False)
    xm.mark_step(reset_scope=False)  # its scopes stay
    return loss


hooks = [xm.mark_step]

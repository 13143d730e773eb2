def build(model, device):
    model.to(device)
    return model

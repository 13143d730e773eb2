def build(model, log):
    log.info("one device")
    model.train()
    return model

def to_host(value):
    return value.detach().cpu()


def on_host(value):
    return value.to("cpu")


def select(predictions):
    return [to_host(p[p[:, 0].argsort()]) + on_host(p) for p in predictions]

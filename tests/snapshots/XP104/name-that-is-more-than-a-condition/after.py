def returned(model):
    use_cuda = True
    if use_cuda:
        model.train()
    return use_cuda


def changed(model):
    use_cuda = True
    if model.small:
        use_cuda = False
    if use_cuda:
        model.train()


def kept(model, flag):
    use_cuda = True
    return flag and use_cuda


def nested(model):
    use_cuda = True
    if use_cuda:
        if use_cuda or model.big:
            model.train()


def with_work_of_its_own(model):
    use_cuda = True
    if not use_cuda:
        model.quantize()


def shared():
    global USE_CUDA
    USE_CUDA = True
    if USE_CUDA:
        print("fast")

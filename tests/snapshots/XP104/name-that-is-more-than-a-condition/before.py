import torch


def returned(model):
    use_cuda = torch.cuda.is_available()
    if use_cuda:
        model.train()
    return use_cuda


def changed(model):
    use_cuda = torch.cuda.is_available()
    if model.small:
        use_cuda = False
    if use_cuda:
        model.train()


def kept(model, flag):
    use_cuda = torch.cuda.is_available()
    return flag and use_cuda


def nested(model):
    use_cuda = torch.cuda.is_available()
    if use_cuda:
        if use_cuda or model.big:
            model.train()


def with_work_of_its_own(model):
    use_cuda = torch.cuda.is_available()
    if not use_cuda:
        model.quantize()


def shared():
    global USE_CUDA
    USE_CUDA = torch.cuda.is_available()
    if USE_CUDA:
        print("fast")

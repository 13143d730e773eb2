def rank():
    from torch_xla.core.xla_model import get_ordinal

    return get_ordinal()


def size():
    import torch_xla.experimental.pjrt as pjrt

    return pjrt.world_size() if pjrt.using_pjrt() else 1

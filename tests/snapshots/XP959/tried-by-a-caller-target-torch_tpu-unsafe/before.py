import os


def needed():
    import torch_xla
    import torch_xla.distributed.xla_backend

    return True


def needed_here():
    print("looking for a TPU")
    import torch_xla

    if os.environ.get("TPU_NAME"):
        import torch_xla.runtime

        import torch_xla.distributed.xla_backend


def needed_in_one_of_two():
    if os.environ.get("TPU_NAME"):
        import torch_xla.runtime
    else:
        import torch_xla


try:
    needed()
    needed_here()
    needed_in_one_of_two()
except ImportError:
    print("no TPU")

try:
    if os.environ.get("TPU_NAME"):
        import torch_xla
        import torch_xla.distributed.xla_backend
except ImportError:
    print("no TPU")

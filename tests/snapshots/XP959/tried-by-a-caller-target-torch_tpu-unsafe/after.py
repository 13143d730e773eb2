import os


def needed():
    import torch_tpu

    return True


def needed_here():
    print("looking for a TPU")
    import torch_tpu

    if os.environ.get("TPU_NAME"):
        pass


def needed_in_one_of_two():
    if os.environ.get("TPU_NAME"):
        import torch_tpu
    else:
        import torch_tpu


try:
    needed()
    needed_here()
    needed_in_one_of_two()
except ImportError:
    print("no TPU")

try:
    if os.environ.get("TPU_NAME"):
        import torch_tpu
except ImportError:
    print("no TPU")

import torch


def work(rank, size):
    if not torch.cuda.is_available():
        raise OSError("no CUDA device")

    print(rank, size)


def run(job):
    # A job runs on the device alone.
    if not torch.cuda.is_available():
        raise OSError("no CUDA device")

    job()


def show(job):
    """Show a job."""
    if not torch.cuda.is_available():
        raise OSError("no CUDA device")

    print(job)

import torch


def check(picture: torch.Tensor) -> None:
    # All that calls this fetches the picture first.
    assert picture.isfinite().all()


def check_some(picture: torch.Tensor) -> None:
    # One call fetches it, of the other nothing is known.
    assert picture.isfinite().all()


def check_scores(scores: torch.Tensor) -> None:
    # What is passed is on the device.
    assert scores.isfinite().all()


def save(picture: torch.Tensor, name: str) -> None:
    check(picture)
    torch.save(picture, name)

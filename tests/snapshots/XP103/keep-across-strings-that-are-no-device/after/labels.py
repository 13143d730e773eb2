"""Strings that look like devices to a reader in a hurry."""

COLORS = {"cuda": "green", "cpu": "grey"}
BACKENDS = ["cuda", "cpu"]
FOLDER = "cuda"
TITLE = "cuda"
EXTENSION = "cuda"


class Kernel:
    device = "cuda"
    language = "cuda"


def render(device="cuda"):
    print("rendered with", device)


def save(path, kind="cuda"):
    return f"{path}/{kind}"

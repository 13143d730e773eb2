"""It asks for a norm itself, and needs the number."""

from main import Trainer


def check(trainer: Trainer):
    if trainer.of_others() > 10:
        raise ValueError("large")

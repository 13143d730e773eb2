"""A logger that is configured once, where nobody has."""

import logging

import torch

model = torch.nn.Linear(4, 1).cuda()


def get_logger(file=None):
    logger = logging.getLogger("training")
    if logger.hasHandlers():
        return logger
    logging.basicConfig(format="%(message)s", level=logging.INFO)
    if file is not None:
        logger.addHandler(logging.FileHandler(file, "w"))
    return logger


get_logger().info("begin")

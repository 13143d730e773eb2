import logging
import sys

import torch


def main():
    logging.basicConfig(
        format="%(asctime)s %(message)s",  # with the time
        level=logging.INFO,
        stream=sys.stdout,
    )
    model = torch.nn.Linear(4, 2).cuda()

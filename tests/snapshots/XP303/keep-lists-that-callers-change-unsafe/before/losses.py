"""Lists of numbers, each for one caller."""

import torch


def sorted_there(outs):
    parts = []
    for out in outs:
        parts.append(torch.mean(out ** 2).item())
    return parts


def filled(outs):
    parts = []
    for out in outs:
        parts.append(torch.mean(out ** 2).item())
    return parts


def emptied(outs):
    parts = []
    for out in outs:
        parts.append(torch.mean(out ** 2).item())
    return parts


def set_there(outs):
    parts = []
    for out in outs:
        parts.append(torch.mean(out ** 2).item())
    return parts


def known_by_two_names(outs):
    parts = []
    for out in outs:
        parts.append(torch.mean(out ** 2).item())
    return parts


def compared(outs):
    parts = []
    for out in outs:
        parts.append(torch.mean(out ** 2).item())
    return parts


def kept(outs):
    parts = []
    for out in outs:
        parts.append(torch.mean(out ** 2).item())
    return parts

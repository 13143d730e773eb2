import torch
from functorch.compile import min_cut_rematerialization_partition
from torch_xla.experimental.scan_layers import scan_layers


def run(layers, x, options):
    x = scan_layers(layers, x, partition_fn=min_cut_rematerialization_partition)
    x = scan_layers(layers, x, **options)
    return scan_layers(layers)


def scan_layers_of(model, scan_layers):
    return scan_layers(model.layers, model.x)


run_layers = scan_layers

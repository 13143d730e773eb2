"""What runs in the child beside the probe where the target is torch_tpu; under the rules of the probe's modules."""

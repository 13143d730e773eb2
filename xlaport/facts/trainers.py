"""Training libraries that prepare what they are given: loaders that move batches, optimizers whose step cuts.

`accelerate` (1.15) wraps each `DataLoader` in torch_xla's device loader wherever torch_xla is installed. Lightning's
Fabric and its modules (2.6) step an optimizer by `xm.optimizer_step(…, barrier=True)`, or cut behind the step.
"""

from __future__ import annotations

ACCELERATORS = frozenset({"accelerate.Accelerator", "accelerate.accelerator.Accelerator"})
FABRICS = frozenset(
    {"lightning.Fabric", "lightning.fabric.Fabric", "lightning.fabric.fabric.Fabric", "lightning_fabric.Fabric",
     "lightning_fabric.fabric.Fabric"}
)  # fmt: skip
PREPARING = {
    "prepare": ACCELERATORS,
    "prepare_model": ACCELERATORS,
    "prepare_optimizer": ACCELERATORS,
    "prepare_data_loader": ACCELERATORS,
    "prepare_scheduler": ACCELERATORS,
    "skip_first_batches": ACCELERATORS,
    "setup": FABRICS,  # which takes a model and its optimizers, and no loader
    "setup_module": FABRICS,
    "setup_optimizers": FABRICS,
}
"""Methods that give back what they get, in the same order, and of which library's object."""
OF_ONE = frozenset({"prepare_model", "prepare_optimizer", "prepare_data_loader", "prepare_scheduler",
                     "skip_first_batches", "setup_module"})  # fmt: skip

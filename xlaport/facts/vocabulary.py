"""PyTorch's own vocabulary, free of any device: what its functions return and what its methods keep.

Source: the public API of torch 2.9. The tables hold what the roles need, not the whole API.
"""

from __future__ import annotations

MODULE_BASES = frozenset(
    {"torch.nn.Module", "torch.nn.modules.Module", "torch.nn.modules.module.Module", "torch.nn.Sequential",
     "torch.nn.ModuleList", "torch.nn.ModuleDict", "pytorch_lightning.LightningModule",
     "lightning.LightningModule"}
)  # fmt: skip

MODULE_WRAPPERS = frozenset(
    {"torch.compile", "torch.nn.DataParallel", "torch.nn.parallel.DataParallel",
     "torch.nn.parallel.DistributedDataParallel", "torch.jit.script", "copy.deepcopy", "copy.copy"}
)  # fmt: skip
"""Calls that give back a module where the first argument is one."""

DEVICE_CALLS = frozenset({"torch.device", "torch.get_default_device", "torch.accelerator.current_accelerator"})
"""Calls that return a ``torch.device``."""

LOADERS = frozenset({"torch.utils.data.DataLoader", "torch.utils.data.dataloader.DataLoader"})

SCALERS = frozenset({"torch.cuda.amp.GradScaler", "torch.amp.GradScaler", "torch.cuda.amp.grad_scaler.GradScaler"})

DATASET_WRAPPERS = frozenset(
    {"torch.utils.data.Subset", "torch.utils.data.ConcatDataset", "torch.utils.data.random_split"}
)

LOOP_WRAPPERS = frozenset(
    {"builtins.enumerate", "builtins.iter", "builtins.zip", "itertools.islice", "tqdm.tqdm", "tqdm.auto.tqdm",
     "tqdm.notebook.tqdm", "tqdm", "tqdm.trange", "rich.progress.track"}
)  # fmt: skip
"""Callables that iterate their first argument."""

FACTORIES = frozenset(
    f"torch.{name}"
    for name in (
        "arange as_tensor bartlett_window blackman_window complex empty empty_strided eye from_numpy full "
        "hamming_window hann_window linspace logspace normal ones rand randint randn randperm range tensor "
        "tril_indices triu_indices zeros FloatTensor LongTensor IntTensor BoolTensor DoubleTensor HalfTensor "
        "ByteTensor Tensor"
    ).split()
)
"""Functions that make a tensor, on the host unless told otherwise by ``device=``."""

NOT_TENSORS = frozenset(
    f"torch.{name}"
    for name in (
        "device dtype no_grad enable_grad inference_mode set_grad_enabled is_grad_enabled manual_seed seed "
        "initial_seed Generator Size Stream Event load save set_num_threads get_num_threads set_num_interop_threads "
        "set_default_dtype set_default_device set_default_tensor_type get_default_dtype get_default_device "
        "set_printoptions set_float32_matmul_precision use_deterministic_algorithms is_tensor is_storage numel finfo "
        "iinfo autocast get_rng_state set_rng_state compile typename is_floating_point is_complex is_nonzero equal "
        "allclose get_autocast_gpu_dtype are_deterministic_algorithms_enabled"
    ).split()
)
"""Lower-case names of the torch namespace that do not return a tensor."""

TENSOR_NAMESPACES = ("torch.nn.functional.", "torch.linalg.", "torch.fft.", "torch.special.")

HOST_METHODS = frozenset(
    (
        "item tolist numpy size dim ndimension numel nelement element_size stride storage untyped_storage data_ptr "
        "is_contiguous is_floating_point is_complex get_device type_as_string is_pinned storage_offset backward "
        "register_hook requires_grad is_set_to equal allclose"
    ).split()
)
"""Tensor methods that return something else than a tensor."""

HOST_ATTRIBUTES = frozenset(
    (
        "shape dtype device layout ndim is_cuda is_leaf requires_grad grad_fn itemsize nbytes names is_sparse "
        "is_quantized is_mps is_cpu is_meta"
    ).split()
)
"""Tensor attributes that are known on the host without reading the device."""

HOST_READ_METHODS = frozenset({"item", "tolist", "numpy", "cpu"})
"""Tensor methods that wait for the device and copy a value to the host."""

MODULE_KEEPING_METHODS = frozenset(
    (
        "to cuda cpu xpu float double half bfloat16 train eval requires_grad_ apply type to_empty share_memory compile"
    ).split()
)
"""Module methods that return the module itself."""

MODULE_HOST_METHODS = frozenset(
    (
        "state_dict load_state_dict parameters named_parameters buffers named_buffers children named_children modules "
        "named_modules zero_grad register_buffer register_parameter register_forward_hook add_module get_parameter "
        "get_buffer get_submodule extra_repr"
    ).split()
)

MODULE_USES = frozenset(
    ["state_dict", "load_state_dict", "parameters", "named_parameters", "named_modules", "eval", "requires_grad_"]
)
"""Methods whose use, two of them, shows that a name stands for a module."""

VIEW_METHODS = frozenset(
    (
        "view view_as reshape reshape_as detach squeeze unsqueeze t transpose permute flatten unflatten expand "
        "expand_as narrow select split chunk unbind T H mT mH data diagonal movedim swapaxes unfold contiguous to "
        "real imag"
    ).split()
)
"""Methods and attributes whose result may share memory with the tensor they are called on."""

GRAD_OFF = frozenset({"torch.no_grad", "torch.inference_mode", "torch.autograd.no_grad"})

OPTIMIZER_BASES = frozenset({"torch.optim.Optimizer", "torch.optim.optimizer.Optimizer"})

OPTIMIZER_PREFIXES = ("torch.optim.", "transformers.optimization.", "apex.optimizers.", "bitsandbytes.optim.")

OPTIMIZERS = frozenset({"transformers.AdamW", "transformers.Adafactor"})

SCHEDULER_PREFIX = "torch.optim.lr_scheduler."

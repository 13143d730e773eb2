"""What functions of PyTorch and of the libraries around it return, and what methods keep, free of any device.

Source: the public API of torch 2.9, and of the libraries that are named. The tables hold what the roles need, not the
whole API.
"""

from __future__ import annotations

LIGHTNING_MODULES = frozenset(
    f"{package}.{name}LightningModule"
    for package in ("lightning", "lightning.pytorch", "pytorch_lightning")
    for name in ("", "core.", "core.module.", "core.lightning.")
)
"""The classes whose methods Lightning's loop calls, wherever they are imported from."""

AUTOGRAD_FUNCTIONS = frozenset({"torch.autograd.Function", "torch.autograd.function.Function"})
MODULE_BASES = LIGHTNING_MODULES | frozenset(
    {"torch.nn.Module", "torch.nn.modules.Module", "torch.nn.modules.module.Module", "torch.nn.Sequential",
     "torch.nn.ModuleList", "torch.nn.ModuleDict"}
)  # fmt: skip

MODULE_WRAPPERS = frozenset(
    {"torch.compile", "torch.nn.DataParallel", "torch.nn.parallel.DataParallel",
     "torch.nn.parallel.DistributedDataParallel", "torch.nn.SyncBatchNorm.convert_sync_batchnorm", "torch.jit.script",
     "copy.deepcopy", "copy.copy", "torch.optim.swa_utils.AveragedModel"}
)  # fmt: skip
"""Calls that give back a module where the first argument is one."""

VARIABLES = frozenset({"torch.autograd.Variable", "torch.autograd.variable.Variable"})
"""Since PyTorch 0.4 they give back the tensor that they are given."""

MODULE_COPIES = frozenset({"copy.deepcopy", "copy.copy", "torch.optim.swa_utils.AveragedModel"})
"""Those that give back another module, with parameters of its own."""

MODULE_HOLDERS = frozenset(
    {"ema_pytorch.EMA", "ema_pytorch.ema_pytorch.EMA", "ema_pytorch.PostHocEMA", "ema_pytorch.KarrasEMA"}
)
"""Modules that keep the one that they are given as a part, so that their move is its move (ema_pytorch 0.7)."""

DEVICE_CALLS = frozenset({"torch.device", "torch.get_default_device", "torch.accelerator.current_accelerator"})
"""Calls that return a ``torch.device``."""

LOADERS = frozenset({"torch.utils.data.DataLoader", "torch.utils.data.dataloader.DataLoader"})

SCALERS = frozenset({"torch.cuda.amp.GradScaler", "torch.amp.GradScaler", "torch.cuda.amp.grad_scaler.GradScaler"})

DATASET_WRAPPERS = frozenset(
    {"torch.utils.data.Subset", "torch.utils.data.ConcatDataset", "torch.utils.data.random_split"}
)

PARAMETERS = frozenset({"torch.nn.Parameter", "torch.nn.parameter.Parameter", "torch.nn.Buffer"})

LOOP_WRAPPERS = frozenset(
    {"builtins.enumerate", "builtins.iter", "builtins.zip", "itertools.islice", "tqdm.tqdm", "tqdm.auto.tqdm",
     "tqdm.notebook.tqdm", "tqdm", "tqdm.trange", "rich.progress.track", "itertools.cycle", "alive_progress.alive_it",
     "ultralytics.utils.TQDM"}
)  # fmt: skip
"""Callables that iterate their first argument."""

PASSING_WRAPPERS = LOOP_WRAPPERS - {"builtins.enumerate", "builtins.zip", "tqdm.trange"}
"""Those that hand on its elements as they are."""

COUNTERS = frozenset({"builtins.range", "tqdm.trange", "tqdm.auto.trange", "itertools.count"})
"""Callables that count: their elements are numbers."""

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

OF_A_ROW = frozenset(
    f"torch.{name}"
    for name in (
        "arange bartlett_window blackman_window hamming_window hann_window kaiser_window linspace logspace randperm "
        "from_numpy"
    ).split()
)
"""Functions whose tensors always have a dimension."""

NOT_TENSORS = frozenset(
    f"torch.{name}"
    for name in (
        "device dtype no_grad enable_grad inference_mode set_grad_enabled is_grad_enabled is_inference_mode_enabled "
        "manual_seed seed initial_seed load save numel typename compile vmap cond while_loop fork wait "
        "is_tensor is_storage is_floating_point is_complex is_nonzero is_conj is_inference is_neg is_signed "
        "is_same_size is_distributed is_anomaly_enabled is_anomaly_check_nan_enabled is_warn_always_enabled "
        "is_autocast_enabled is_autocast_cpu_enabled is_autocast_cache_enabled is_vulkan_available "
        "is_deterministic_algorithms_warn_only_enabled are_deterministic_algorithms_enabled "
        "equal allclose can_cast broadcast_shapes promote_types result_type finfo iinfo autocast "
        "get_device get_device_module get_file_path get_rng_state set_rng_state get_default_dtype "
        "get_default_device get_num_threads get_num_interop_threads get_float32_matmul_precision "
        "get_deterministic_debug_mode get_autocast_dtype get_autocast_cpu_dtype get_autocast_gpu_dtype "
        "set_default_dtype set_default_device set_default_tensor_type set_num_threads set_num_interop_threads "
        "set_printoptions set_float32_matmul_precision set_flush_denormal set_warn_always set_anomaly_enabled "
        "set_deterministic_debug_mode set_autocast_enabled set_autocast_cache_enabled set_autocast_dtype "
        "use_deterministic_algorithms prepare_multiprocessing_environment compiled_with_cxx11_abi to_dlpack "
        "sym_float sym_int sym_ite sym_max sym_min sym_not sym_sqrt sym_sum clear_autocast_cache "
        "nn.functional.has_torch_function nn.functional.has_torch_function_unary "
        "nn.functional.has_torch_function_variadic nn.functional.boolean_dispatch"
    ).split()
)
"""Lower-case names of torch's namespaces that do not return a tensor."""

TENSOR_NAMESPACES = ("torch.nn.functional.", "torch.linalg.", "torch.fft.", "torch.special.")

TENSOR_FUNCTIONS = frozenset(
    {"torch.nn.utils.clip_grad_norm_", "torch.nn.utils.clip_grad.clip_grad_norm_", "torch.autograd.grad",
     "torch.nn.utils.parameters_to_vector"}
)  # fmt: skip

DEFAULT_DEVICE_SETTERS = frozenset({"torch.set_default_device", "torch.set_default_tensor_type"})
"""After one of these, a factory without ``device=`` makes its tensors elsewhere than on the host."""

MOVING_METHODS = frozenset({"to", "cuda", "xpu", "to_empty"})
"""Methods that move a tensor or a module to a device."""

DATA_COLLATORS = "transformers.DataCollator"
"""How the names of the classes begin that make batches for the loaders of transformers."""

MODULE_HOOKS = {
    "register_forward_hook": ("module", "tensors", "tensor"),
    "register_forward_pre_hook": ("module", "tensors"),
    "register_full_backward_hook": ("module", "tensors", "tensors"),
}
"""Methods of modules that take a function which runs with them, and what that gets each time."""
PREPARING = frozenset({"initialize", "prepare"})
"""Functions of libraries that give back what they get, made ready: ``model, optimizer = amp.initialize(…)``."""

DTYPES = frozenset(
    f"torch.{name}"
    for name in (
        "float32 float64 float16 bfloat16 float double half int8 int16 int32 int64 uint8 int long short bool "
        "complex64 complex128 cfloat cdouble"
    ).split()
)

DEVICE_FUNCTIONS = frozenset({"torch.device", "torch.set_default_device", "torch.cuda.set_device", "torch.cuda.device"})
"""Functions whose first argument is a device."""

DEVICE_KEYWORD_FUNCTIONS = frozenset(
    {"ignite.engine.create_supervised_trainer", "ignite.engine.create_supervised_evaluator"}
)
"""Functions of other packages that take a ``torch.device`` or its text as ``device=``. Source: Ignite 0.5.5."""

HALF = frozenset({"torch.float16", "torch.half"})
"""The names of float16."""

DEVICE_TYPE_FUNCTIONS = frozenset(
    {
        "torch.autocast",
        "torch.amp.autocast",
        "torch.amp.autocast_mode.autocast",
        "torch.amp.GradScaler",
        "torch.GradScaler",
    }
)
"""Functions whose first argument is the type of a device."""

NUMBER_METHODS = frozenset({"item", "dim", "ndimension", "numel", "nelement", "size", "element_size", "get_device"})
"""Tensor methods that return a number (``size`` one or several)."""

HOST_METHODS = frozenset(
    (
        "item tolist numpy size dim ndimension numel nelement element_size stride storage untyped_storage data_ptr "
        "is_contiguous is_floating_point is_complex is_signed is_inference is_conj is_neg is_shared get_device "
        "type_as_string is_pinned storage_offset backward register_hook requires_grad is_set_to equal allclose"
    ).split()
)
"""Tensor methods that return something else than a tensor."""

ASKING_NO_VALUE = HOST_METHODS - {"item", "tolist", "numpy", "allclose"}
"""Those that ask what a tensor is, not what is in it."""

METHODS_OF_TEXTS = frozenset(
    ("startswith endswith strip lstrip rstrip lower upper title encode decode join format splitlines isdigit").split()
)
"""Methods of strings that no tensor has, nor a dict of some: what has them was taken for a tensor."""

HOST_ATTRIBUTES = frozenset(
    (
        "shape dtype device layout ndim is_cuda is_leaf requires_grad grad_fn itemsize nbytes names is_sparse "
        "is_quantized is_mps is_cpu is_meta"
    ).split()
)
"""Tensor attributes that are known on the host without reading the device."""

NUMBERS = frozenset(f"{package}.{name}" for package in ("torch", "math", "numpy") for name in ("inf", "nan", "pi", "e"))
"""Names that stand for a number."""

HOST_READ_METHODS = frozenset({"item", "tolist", "numpy", "cpu"})
"""Tensor methods that wait for the device and copy a value to the host."""

MODULE_KEEPING_METHODS = frozenset(
    (
        "to cuda cpu xpu float double half bfloat16 train eval requires_grad_ apply type to_empty share_memory compile"
    ).split()
)
"""Module methods that return the module itself."""

EXIT_STACKS = frozenset({"contextlib.ExitStack", "contextlib.AsyncExitStack"})
RUN_LATER = {"atexit.register": 0, "weakref.finalize": 1}
"""Functions that have another one run later, each with the place of that among its arguments."""

SPAWNING = {"torch.multiprocessing.spawn": 1, "torch.multiprocessing.Process": 0, "multiprocessing.Process": 0,
            "threading.Thread": 0}  # fmt: skip
"""Functions that run another one with the arguments in a tuple, each with how many come before them."""
THREADS = frozenset({"threading.Thread"})
"""Those of them that run it in this process."""
QUEUES = frozenset(
    f"{module}.{name}"
    for module in ("queue", "multiprocessing", "torch.multiprocessing", "asyncio")
    for name in ("Queue", "SimpleQueue", "LifoQueue", "PriorityQueue")
)

BARRIERS = frozenset(
    f"torch_xla.{name}"
    for name in ("sync", "core.xla_model.mark_step", "core.xla_model.optimizer_step", "_XLAC._xla_sync_multi")
)
"""Calls that end a graph, in each version of torch_xla."""

LAYER_PARAMETERS = frozenset({"weight", "bias"})
"""What most layers of PyTorch call their parameters; no module has anything else by these names."""

MODULE_HOST_METHODS = frozenset(
    (
        "state_dict load_state_dict parameters named_parameters buffers named_buffers children named_children modules "
        "named_modules zero_grad register_buffer register_parameter register_forward_hook add_module get_parameter "
        "get_buffer get_submodule extra_repr"
    ).split()
)

MODULE_USES = frozenset(
    ["parameters", "named_parameters", "named_modules", "named_buffers", "eval", "train", "requires_grad_"]
)
"""Methods that modules have and optimizers, schedulers and scalers have not: two of them, or one and a
state_dict(), show that a name stands for a module."""

WITHOUT_GRADIENT = frozenset(
    "argmin argmax argsort bucketize searchsorted bool long int short byte detach item tolist numpy eq ne lt le gt ge "
    "equal allclose isclose isnan isinf isfinite any all nonzero argwhere count_nonzero multinomial size numel "
    "dim".split()
)
"""Functions and methods of tensors through whose result no gradient goes."""
ASKING_GRADIENT = frozenset({"requires_grad_"})
"""By what a detached tensor gets gradients again."""

LAYERS_OF_SEVERAL = ("LSTM", "GRU", "RNN", "MultiheadAttention", "Transformer")
"""How the names of torch's layers begin that give several tensors, or other things."""

LAYER_SIZES = frozenset(
    (
        "padding stride dilation kernel_size output_padding groups in_channels out_channels in_features out_features "
        "num_features num_embeddings embedding_dim hidden_size num_layers input_size num_heads head_dim embed_dim"
    ).split()
)
"""Attributes of torch's layers that are numbers, or several."""

DISTRIBUTION_USES = frozenset(["sample", "rsample", "log_prob", "log_probs", "entropy", "icdf"])
"""Methods that distributions have and tensors have not: what a model gives is no tensor where one is called on it."""

VIEW_METHODS = frozenset(
    (
        "view view_as reshape reshape_as detach squeeze unsqueeze t transpose permute flatten unflatten expand "
        "expand_as narrow select split chunk unbind T H mT mH data diagonal movedim swapaxes unfold contiguous to "
        "real imag cpu cuda float double half bfloat16 int long short bool type type_as ravel swapdims "
        "broadcast_to as_strided tensor_split hsplit vsplit dsplit adjoint atleast_1d atleast_2d atleast_3d values "
        "indices as_tensor from_numpy requires_grad_ dropout"
    ).split()
)
"""Methods and attributes whose result may share memory with the tensor they are called on."""

OPTION_READERS = frozenset({"tyro.cli", "draccus.parse", "simple_parsing.parse"})
"""Functions that make an object of the class that they are given, from the command line."""

GRAD_OFF = frozenset({"torch.no_grad", "torch.inference_mode", "torch.autograd.no_grad"})
GRAD_ON = frozenset({"torch.enable_grad", "torch.autograd.enable_grad"})
GRAD_SWITCHES = frozenset({"torch.set_grad_enabled", "torch.autograd.set_grad_enabled"})

OPTIMIZER_BASES = frozenset({"torch.optim.Optimizer", "torch.optim.optimizer.Optimizer"})

OPTIMIZER_PREFIXES = ("torch.optim.", "transformers.optimization.", "apex.optimizers.", "bitsandbytes.optim.")

OPTIMIZERS = frozenset({"transformers.AdamW", "transformers.Adafactor"})

SCHEDULER_PREFIX = "torch.optim.lr_scheduler."

SCHEDULER_MAKERS = frozenset(
    f"transformers.{name}"
    for name in (
        "get_scheduler get_constant_schedule get_constant_schedule_with_warmup get_linear_schedule_with_warmup "
        "get_cosine_schedule_with_warmup get_polynomial_decay_schedule_with_warmup "
        "get_cosine_with_hard_restarts_schedule_with_warmup get_inverse_sqrt_schedule"
    ).split()
) | {"torch.optim.swa_utils.SWALR"}

DATASET_BASES = frozenset(
    {"torch.utils.data.Dataset", "torch.utils.data.dataset.Dataset", "torchvision.datasets.VisionDataset",
     "torchvision.datasets.ImageFolder"}
)  # fmt: skip

HOST_PACKAGES = (
    "math.", "numpy.", "time.", "logging.", "os.", "sys.", "warnings.", "json.", "random.", "PIL.", "cv2.", "skimage.",
    "imageio.", "scipy.", "pandas.",
)  # fmt: skip
"""Libraries that know no device: they read what they get, and give what is of the host."""

CLOCKS = frozenset(
    {"time.time", "time.perf_counter", "time.monotonic", "time.time_ns", "time.perf_counter_ns", "time.monotonic_ns",
     "timeit.default_timer"}
)  # fmt: skip
"""Calls that give the time, a number of the host."""

MODEL_MAKERS = frozenset(
    {"timm.create_model", "timm.models.create_model", "torch.hub.load", "torch.optim.swa_utils.AveragedModel"}
)
"""Functions of libraries that return a model."""


def is_transformers_model(name: str) -> bool:
    """``transformers.AutoModelForCausalLM``, ``transformers.GPT2LMHeadModel``, ``transformers.PreTrainedModel``."""
    last = name.rpartition(".")[2]
    return last.startswith("AutoModel") or (last[:1].isupper() and (last.endswith("Model") or "For" in last[1:]))

"""What the table says by hand of each program: what its loop is, how many steps it makes, and why it misses the goal.

The goal is (0, 1, 0): outside the steps in which the program shows something, no compilation after warm-up, one
execution per step, no transfer to the host; with it one barrier per step, and the same values as on the CPU. A program
that misses it says why: by its `nature`, where a number other than these is right, or as something `open` in xlaport.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One program."""

    loop: str
    steps: int
    """Optimizer steps, batches that are evaluated or that a step sums, or samples that are generated at once."""
    nature: str = ""
    open: str = ""
    apart: int = 0
    """Graphs outside the steps: a device loader has a barrier before each batch, which runs what was made till then."""


ROWS = {
    "accumulate_continue": Row("`if (i + 1) % k != 0: continue` before the step", 60),
    "accumulate_inner": Row("micro-batches in an inner loop, one step behind it", 68),
    "accumulate_last": Row("`(step + 1) % k == 0 or step + 1 == len(loader)`, the loss summed up", 70),
    "accumulate_leftover": Row("what the last window leaves over is stepped behind the loop", 60, apart=6),
    "accumulate_modulo": Row("`if (i + 1) % k == 0:` step", 96),
    "adversarial_inner": Row("an attack in an inner loop, without an optimizer", 24),
    "attack": Row("an input is changed by its gradient, without an optimizer", 20),
    "average_meter": Row("`losses.update(loss.item(), n)`", 24),
    "average_meter_other_file": Row(
        "`AverageMeter` and `accuracy()` in another file, as ImageNet's recipe has them", 24,
    ),
    "averaged_model": Row(
        "`AveragedModel.update_parameters()` behind the step", 24, apart=1,
    ),
    "batch_norm": Row(
        "batch normalisation", 24, apart=1,
        nature="torch_xla's running_var is the biased variance",
    ),
    "best_checkpoint": Row("phases train and val in one loop, the best weights kept", 30, apart=10),
    "best_so_far": Row(
        "`if loss.item() < best:` in each step", 24, nature="the value decides what the step keeps"
    ),
    "break_on_counter": Row("`if i >= n: break` before the step", 24),
    "callable_step": Row(
        "an object that is called makes the step, and hands back `loss.item()`", 24,
    ),
    "callbacks": Row(
        "a list of callbacks, one of which keeps each loss", 24, nature="a callback reads the loss of each step"
    ),
    "collect_predictions": Row("`preds.append(output.argmax(1).cpu())`", 12),
    "comprehension_eval": Row("evaluation in comprehensions", 72, apart=3),
    "continue_after_work": Row("`continue` behind the step, before the log", 24),
    "continue_before_work": Row("`continue` before the step, for a short batch", 28),
    "contrastive": Row("two views of each batch", 24),
    "critic_steps": Row("several steps of the critic in an inner loop, then the generator's", 40),
    "cycled_loader": Row("`enumerate(loader, start=1)`, beside a generator that cycles another loader", 24),
    "denoise": Row(
        "denoising over `scheduler.timesteps`", 20,
        nature="in the last step two numbers of the schedule are equal, and become one input of another graph",
    ),
    "dict_batches": Row("batches that are dicts, moved by a comprehension", 24),
    "distillation": Row("teacher and student", 24),
    "dqn": Row("a replay buffer, and a target network that follows", 25),
    "early_stopping": Row("evaluation after each epoch, stop by patience", 36),
    "ema": Row("`ema.update(model)` behind the step", 24, apart=1),
    "enumerate_loader": Row("`enumerate(loader)` in a function of its own", 24),
    "enumerate_tqdm": Row("`enumerate(tqdm(loader))`", 24),
    "eval_accuracy": Row("training and test of the MNIST example", 36),
    "eval_lists": Row(
        "evaluation, its metrics in lists; the weights are changed three times in between", 18, apart=3,
    ),
    "folds": Row("cross-validation: training and test per fold", 30),
    "for_else": Row("`for … else`", 21),
    "fstring_tensors": Row("tensors in f-strings, before the step", 20),
    "gan": Row("two networks, two optimizers, losses in lists", 24),
    "gan_shown": Row("two networks; what is shown every n-th step is read in each", 24),
    "generate_buffer": Row("generation into a buffer of fixed length", 20),
    "generator_batches": Row("`for x, y in get_batches(…)`", 24),
    "get_batch": Row("`get_batch()` in `for iter in range(n)`, loss estimated now and then", 36),
    "grad_clip": Row("clipped gradients, the norm kept", 24),
    "gradient_norm": Row("the norm of each gradient is read before the step", 24),
    "hard_cuda": Row("`.cuda()` everywhere, at the level of the module", 24),
    "hard_cuda_trainer": Row("`.cuda()` in a class, `step()` hands back `loss.data`", 24),
    "helper_methods": Row("`forward_backward()` and `update()` as methods", 20),
    "islice_loader": Row("`islice(loader, n)`", 24),
    "iter_next": Row("`next(it)`, begun anew at StopIteration", 24),
    "lambda_partial": Row("the step is a `functools.partial`", 20),
    "loader_from_other_file": Row("loader and training function in files of their own", 24),
    "logger_every_n": Row("`logger.info()` every n-th step", 24),
    "loss_dict": Row("a dict of losses, each summed up", 24),
    "loss_history": Row("`losses.append(loss.item())`, handed back", 24),
    "losses_as_tensors": Row("`total += loss`, outputs as numpy arrays", 24),
    "lr_warmup": Row("the learning rate set in each step", 24),
    "metrics_on_host": Row(
        "losses, labels and predictions in lists on the host", 24,
    ),
    "module_script": Row("functions that read globals, at the level of the module", 28),
    "name_reused": Row(
        "one name for a sum of losses, and then for a count", 36,
    ),
    "nan_check": Row(
        "`if not math.isfinite(loss_value): sys.exit(1)` before the step", 24,
        nature="the value decides whether the program goes on",
    ),
    "nested_function": Row("a nested function makes the step", 24),
    "no_optimizer": Row("the update written out: `param -= lr * param.grad`", 20),
    "optimizer_closure": Row("`optimizer.step(closure)`", 24, apart=4),
    "optimizers_list": Row("`for opt in optimizers: opt.step()`", 24),
    "own_optimizer": Row(
        "an optimizer of one's own, which is none of torch's", 24,
    ),
    "plain_loader": Row("`for x, y in loader`", 24),
    "plateau": Row("`ReduceLROnPlateau` with the epoch's loss", 24),
    "ppo": Row("epochs of updates over mini-batches of a memory", 36),
    "ragged_last_batch": Row("the last batch is shorter", 24),
    "recurrent_state": Row("the hidden state is carried on, detached", 24),
    "reinforce": Row(
        "an acting loop, then one update", 42, nature="each action is chosen by the device and played on the host"
    ),
    "return_from_loop": Row("`return` from the inner loop", 20),
    "running_in_place": Row("tensors that are changed in place, and read into lists", 24, apart=1),
    "running_mean": Row("`running_loss += loss.item()`, shown and reset every n-th step", 24),
    "save_best": Row("a checkpoint of the best epoch", 36),
    "scheduler_each_step": Row("`scheduler.step()` in each step", 24),
    "several_models": Row("three models, two optimizers", 24),
    "smoothed_loss": Row("`smooth = 0.9 * smooth + 0.1 * loss.item()`", 24),
    "stack_losses": Row("losses kept on the device, stacked after the epoch", 24),
    "step_in_branches": Row("another optimizer's step in each branch, one of which logs", 24),
    "stop_by_loss": Row("`if loss.item() < limit: break`", 17, nature="the value decides whether there is a next step"),
    "summary_writer": Row(
        "`writer.add_scalar(…, loss.item(), step)` in each step", 24, nature="each step is logged, to a file"
    ),
    "sums_in_branches": Row(
        "a sum in each branch of an `if`, and a maximum", 24,
    ),
    "tied_weights": Row("weights that are tied in `__init__`", 20),
    "tqdm_postfix": Row(
        "`pbar.set_postfix(loss=loss.item())` in each step", 24,
        nature="each step is logged, and the bar shows it one step later",
    ),
    "train_one_epoch": Row(
        "torchvision's references: `engine.py` and `utils.py`", 30,
        open="MetricLogger.update() takes its values as **kwargs, and reads those that are tensors itself: both files "
        "would have to change at once, and a finding changes one",
    ),
    "train_step_dict": Row("`train_step()` hands back a dict of metrics", 24),
    "train_step_helper": Row("`train_step()` hands back `loss.item()`", 24),
    "trainer_base": Row("the loop in a base class of another file", 24),
    "trainer_class": Row("a class with `self.optimizer` and `self.train_loader`", 24),
    "try_except": Row("`try … except RuntimeError: continue`", 24),
    "try_finally": Row("`try … finally` around the step", 20),
    "while_counter": Row("`while step < max_steps:` over drawn batches", 20),
    "while_max_steps": Row("`while step < max_steps:` around a loader", 20),
    "while_true": Row("`while True:` with `break`", 21),
    "with_blocks": Row("`with` around the step and its parts", 24),
    "zip_loaders": Row("`zip(loader_a, loader_b)`", 24),
}  # fmt: skip

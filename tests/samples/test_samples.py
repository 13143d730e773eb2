"""The samples as they are: CUDA scripts that also run, and learn, on a plain CPU."""

from __future__ import annotations

import ast
import gzip
import re
import struct
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from tests.samples.programs import ENVIRONMENT, NAMES, SAMPLES, entry, files
from tests.warm_python import with_torch

# What the port of each sample is about. Source text as `ast.unparse` prints it.
CONSTRUCTS = {
    "ddp": {
        "torch.cuda.device_count()",
        "mp.spawn(main_worker, nprocs=ngpus_per_node, args=(ngpus_per_node, args))",
        "main_worker(args.gpu, ngpus_per_node, args)",
        "args.rank = args.rank * ngpus_per_node + gpu",
        "dist.init_process_group(backend=args.dist_backend, init_method=args.dist_url, world_size=args.world_size, "
        "rank=args.rank)",
        "torch.cuda.set_device(args.gpu)",
        "args.batch_size = int(args.batch_size / ngpus_per_node)",
        "torch.load(args.resume, map_location=device)",
        "DistributedSampler(train_set)",
        "train_sampler.set_epoch(epoch)",
        "dist.all_reduce(total, op=dist.ReduceOp.SUM)",
        "torch.save(state, filename)",
        "shutil.copyfile(filename, 'model_best.pth.tar')",
    },
    "ddp_toy": {
        "torch.cuda.device_count()",
        "mp.spawn(demo_fn, args=(world_size, steps), nprocs=world_size, join=True)",
        "dist.init_process_group(backend, rank=rank, world_size=world_size)",
        "torch.device('cuda', rank)",
        "dist.barrier()",
        "torch.save(ddp_model.state_dict(), path)",
        "torch.load(path, map_location=device)",
        "dist.destroy_process_group()",
    },
    "amp_resnet": {
        "torch.cuda.amp.autocast(enabled=args.amp)",
        "torch.cuda.amp.GradScaler(enabled=args.amp)",
        "scaler.scale(loss).backward()",
        "scaler.unscale_(optimizer)",
        "scaler.step(optimizer)",
        "scaler.update()",
        "scaler.state_dict()",
        "torch.compile(model)",
        "torch.inference_mode()",
        "torch.cuda.synchronize()",
        "torch.backends.cuda.matmul.allow_tf32 = True",
        "memory_format=torch.channels_last",
    },
    "mnist": {
        "torch.cuda.manual_seed_all(args.seed)",
        "torch.backends.cudnn.benchmark = True",
        "torch.device('cuda' if torch.cuda.is_available() else 'cpu')",
        "torch.cuda.synchronize()",
        "pin_memory=True",
        "num_workers=args.workers",
        "drop_last=True",
        "data.to(device, non_blocking=True)",
        "Net(args.dropout).to(device)",
        "loss.item()",
        "correct.item()",
        "torch.no_grad()",
        "scheduler.step()",
        "torch.save(model.state_dict(), args.save)",
    },
    "char_lm": {
        "torch.cuda.manual_seed_all(args.seed)",
        "torch.backends.cudnn.benchmark = True",
        "torch.cuda.is_available()",
        "torch.cuda.synchronize()",
        "model.cuda()",
        "context.cuda()",
        "x.pin_memory().cuda(non_blocking=True)",
        "torch.nn.utils.clip_grad_norm_(model.parameters(), args.grad_clip)",
        "group['lr'] = lr",
        "loss.item()",
        "torch.stack(losses).mean().item()",
        "torch.no_grad()",
    },
    "llama_spmd": {
        "int(os.environ.get('LOCAL_RANK', 0))",
        "dist.init_process_group(backend, rank=rank, world_size=world_size)",
        "DistributedSampler(train_set, num_replicas=world_size, rank=rank, shuffle=True, drop_last=True)",
        "fully_shard(layer)",
        "fully_shard(model)",
        "nn.utils.clip_grad_norm_(model.parameters(), args.max_grad_norm)",
        "StateDictOptions(full_state_dict=True, cpu_offload=True)",
        "torch.save(weights, args.output)",
    },
    "fsdp_vit": {
        "int(os.environ.get('LOCAL_RANK', 0))",
        "torch.cuda.set_device(local_rank)",
        "dist.get_default_backend_for_device(device)",
        "dist.init_process_group(backend, rank=rank, world_size=world_size)",
        "functools.partial(transformer_auto_wrap_policy, transformer_layer_cls={Block})",
        "MixedPrecision(param_dtype=torch.bfloat16, reduce_dtype=torch.float32, buffer_dtype=torch.bfloat16)",
        "sharding_strategy=ShardingStrategy.FULL_SHARD",
        "apply_activation_checkpointing(model, check_fn=lambda module: isinstance(module, Block))",
        "model.clip_grad_norm_(args.max_grad_norm)",
        "dist.all_reduce(counts)",
        "FullStateDictConfig(offload_to_cpu=True, rank0_only=True)",
        "FSDP.state_dict_type(model, StateDictType.FULL_STATE_DICT, config)",
        "torch.save(weights, path)",
    },
    "detection_head": {
        "torch.cuda.manual_seed(args.seed)",
        "torch.device('cuda' if torch.cuda.is_available() else 'cpu')",
        "pin_memory=True",
        "classes[~inside.any(-1)] = CLASSES",
        "box_loss = (1 - iou)[positive].sum()",
        "scores.topk(args.topk)",
        "boxes, classes, scores = (boxes[sure], classes[sure], scores[sure])",
        "order.numel()",
        "order = rest[iou <= threshold]",
        "predicted.cpu()",
        "loss.item()",
        "torch.no_grad()",
    },
    "diffusion_sampling": {
        "device = 'cuda' if torch.cuda.is_available() else 'cpu'",
        "torch.cuda.synchronize()",
        "torch.load(args.weights, map_location='cpu')",
        "scheduler.set_timesteps(args.steps, device=device)",
        "torch.from_numpy(sigmas).to(device)",
        "progress_bar(scheduler.timesteps)",
        "torch.cat([latents] * 2)",
        "(self.timesteps == timestep).nonzero().item()",
        "timestep.to(self.timesteps.device)",
        "torch.no_grad()",
        "images.cpu().permute(0, 2, 3, 1).float().numpy()",
        "torch.save(unet.state_dict(), args.save_weights)",
    },
    "dlrm": {
        "torch.cuda.manual_seed_all(args.seed)",
        "torch.device('cuda' if torch.cuda.is_available() else 'cpu')",
        "torch.cuda.synchronize()",
        "nn.EmbeddingBag(n, dim, mode='sum', sparse=True)",
        "table(ids)",
        "ids.to(device)",
        "torch.optim.Adagrad(model.parameters(), lr=args.lr)",
        "torch.bucketize(predicted, edges)",
        "torch.bincount(bucket, minlength=buckets)",
        "loss.item()",
        "torch.no_grad()",
        "torch.save(model.state_dict(), args.save)",
    },
    "vae_gan": {
        "torch.manual_seed(opt.manual_seed)",
        "cudnn.benchmark = True",
        "torch.device('cuda:0' if torch.cuda.is_available() else 'cpu')",
        "netE.to(device)",
        "data[0].to(device)",
        "torch.randn(std.size()).to(mu.device)",
        "netD(fake.detach())",
        "errD_real.backward()",
        "errD_fake.backward()",
        "errG.backward()",
        "optimizerD.step()",
        "optimizerE.step()",
        "optimizerG.step()",
        "D_x = output.mean().item()",
        "D_G_z2 = output.mean().item()",
        "G_losses.append(errG.item())",
        "netG(fixed_noise).detach().cpu()",
        "torch.no_grad()",
    },
    "generate": {
        "torch.cuda.manual_seed(args.seed)",
        "device = 'cuda' if torch.cuda.is_available() else 'cpu'",
        "torch.load(args.weights, map_location=device)",
        "torch.no_grad()",
        "logits[logits < v[:, [-1]]] = -float('inf')",
        "torch.multinomial(probs, num_samples=1)",
        "idx = torch.cat((idx, idx_next), dim=1)",
        "idx_next.item()",
        "y[0].tolist()",
        "torch.save(model.state_dict(), args.save_weights)",
    },
    "grad_accum": {
        "torch.cuda.manual_seed_all(args.seed)",
        "torch.device('cuda' if torch.cuda.is_available() else 'cpu')",
        "torch.cuda.max_memory_allocated()",
        "pin_memory=True",
        "batch = {k: v.to(device) for k, v in batch.items()}",
        "model(**batch)",
        "loss = loss / args.accumulation_steps",
        "nn.utils.clip_grad_norm_(model.parameters(), args.max_grad_norm)",
        "loss.item()",
        "(predictions == batch['labels']).sum().item()",
        "scheduler.step()",
        "torch.no_grad()",
        "torch.save(model.state_dict(), args.output)",
    },
    "seq2seq": {
        "torch.cuda.manual_seed_all(args.seed)",
        "torch.device('cuda' if torch.cuda.is_available() else 'cpu')",
        "pad_sequence(sources, batch_first=True, padding_value=PAD)",
        "DataLoader(val_set, batch_sampler=ByLength(val_set.lengths, args.batch_size), **options)",
        "source.to(device, non_blocking=True)",
        "scores.masked_fill(hidden, float('-inf'))",
        "torch.ones(length, length, dtype=torch.bool, device=target.device).triu(1)",
        "torch.nn.utils.clip_grad_norm_(model.parameters(), args.clip)",
        "loss.item()",
        "words.item()",
        "torch.no_grad()",
        "torch.save(model.state_dict(), args.save)",
    },
    "mlm": {
        "torch.cuda.manual_seed_all(args.seed)",
        "torch.device('cuda' if torch.cuda.is_available() else 'cpu')",
        "tokens.cuda(non_blocking=True)",
        "pin_memory=True",
        "labels[~chosen] = -100",
        "inputs[swapped] = words[swapped]",
        "padding.any()",
        "scores.masked_fill(padding[:, None, None, :], float('-inf'))",
        "logits = model.lm_head(hidden[masked])",
        "loss = F.cross_entropy(logits, labels[masked])",
        "logits.argmax(dim=-1).eq(labels).masked_select(masked).sum().item()",
        "LMHead(dim, size, self.tokens.weight)",
        "nn.utils.clip_grad_norm_(model.parameters(), args.clip)",
        "loss.item()",
        "scheduler.step()",
        "torch.no_grad()",
        "torch.save(model.state_dict(), args.output)",
    },
    "resnet": {
        "torch.manual_seed(args.seed)",
        "cudnn.deterministic = True",
        "cudnn.benchmark = True",
        "torch.device(f'cuda:{args.gpu}' if args.gpu is not None else 'cuda')",
        "torch.load(args.resume, map_location=device)",
        "pin_memory=True",
        "num_workers=args.workers",
        "train(train_loader, model, criterion, optimizer, epoch, device, args)",
        "validate(val_loader, model, criterion, device, args)",
        "images.to(device, non_blocking=True)",
        "accuracy(output, target, topk=(1, 5))",
        "losses.update(loss.item(), images.size(0))",
        "top1.update(acc1[0], images.size(0))",
        "torch.no_grad()",
        "torch.save(state, filename)",
    },
}


def run(name: str, folder: Path, args: str) -> str:
    """Run a sample on the CPU, with `folder` as its working directory; its output."""
    process = subprocess.run(
        [with_torch(), "-W", "ignore", str(SAMPLES / name / entry(name)), *args.split()],
        cwd=folder,
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert process.returncode == 0, process.stderr
    return process.stdout


def losses(output: str) -> list[float]:
    """The training losses that a sample printed, in order."""
    return [float(value) for value in re.findall(r"\b[Ll]oss:? (\d+\.\d+)(?!.*Accuracy)", output)]


def parse(name: str) -> list[ast.Module]:
    """All files of a sample."""
    return [ast.parse(path.read_text(encoding="utf-8")) for path in files(name)]


def nodes(name: str) -> Iterator[ast.AST]:
    for module in parse(name):
        yield from ast.walk(module)


def write_idx(path: Path, shape: tuple[int, ...], data: bytes) -> None:
    header = struct.pack(f">BBBB{len(shape)}I", 0, 0, 8, len(shape), *shape)
    raw = header + data
    path.write_bytes(gzip.compress(raw) if path.suffix == ".gz" else raw)


def test_every_sample_has_its_constructs_listed() -> None:
    assert sorted(CONSTRUCTS) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_sample_keeps_the_constructs_that_its_port_is_about(name: str) -> None:
    found = {ast.unparse(node) for node in nodes(name) if isinstance(node, (ast.Call, ast.Assign, ast.keyword))}
    assert not CONSTRUCTS[name] - found


@pytest.mark.parametrize("name", NAMES)
def test_sample_stands_alone(name: str) -> None:
    """It needs torch, numpy, the standard library and its own files, and has never heard of XLA."""
    roots: set[str] = set()
    for node in nodes(name):
        if isinstance(node, ast.Import):
            roots |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            roots.add((node.module or "").split(".")[0])
    own = {path.stem for path in files(name)}
    assert roots - sys.stdlib_module_names - own <= {"torch", "numpy"}


@pytest.mark.parametrize("name", NAMES)
def test_make_demo_ports_a_sample_as_its_readme_does(name: str) -> None:
    readme = (SAMPLES / name / "README.md").read_text(encoding="utf-8")
    converts = re.search(r"^ +(xlaport convert .*) --out", readme, re.MULTILINE)
    verifies = re.search(r"^ +xlaport verify \S+ .*?-- (.*)$", readme, re.MULTILINE)
    assert converts is not None
    assert verifies is not None
    made = subprocess.run(
        ["make", "-n", "demo", f"SAMPLE={name}"], cwd=SAMPLES.parent, text=True, capture_output=True, check=True
    )
    lines = [" ".join(line.split()) for line in made.stdout.splitlines()]
    assert any(f"{converts[1]} --out" in line for line in lines)
    given = next(line.partition(" -- ")[2] for line in lines if "xlaport verify" in line)
    assert set(verifies[1].split()) & set(given.split()), "the demo hands the sample no options"


def test_char_lm_builds_its_optimizer_before_the_model_moves() -> None:
    (main,) = (node for node in nodes("char_lm") if isinstance(node, ast.FunctionDef) and node.name == "main")
    lines = [ast.unparse(statement) for statement in main.body]
    optimizer = next(i for i, line in enumerate(lines) if line.startswith("optimizer = torch.optim."))
    move = next(i for i, line in enumerate(lines) if "model.cuda()" in line)
    assert optimizer < move


def test_mnist_learns(tmp_path: Path) -> None:
    output = run("mnist", tmp_path, "--epochs 3 --train-size 2048 --test-size 512 --log-interval 8 --save mnist_cnn.pt")
    values = losses(output)
    assert len(values) == 3 * 2048 // 64 // 8
    assert values[-1] < values[0] / 2
    accuracy = [float(value) for value in re.findall(r"Accuracy: (\d+\.\d+)%", output)]
    assert len(accuracy) == 3
    assert accuracy[-1] > max(accuracy[0], 60)
    assert (tmp_path / "mnist_cnn.pt").stat().st_size > 0


def test_mnist_reads_the_real_files(tmp_path: Path) -> None:
    """The images gzipped, the labels not: both forms are about."""
    for split, count in (("train", 64), ("t10k", 32)):
        pixels = bytes((i * 7 + j) % 256 for i in range(count) for j in range(28 * 28))
        write_idx(tmp_path / f"{split}-images-idx3-ubyte.gz", (count, 28, 28), pixels)
        write_idx(tmp_path / f"{split}-labels-idx1-ubyte", (count,), bytes(i % 10 for i in range(count)))
    output = run("mnist", tmp_path, "--data . --epochs 1 --batch-size 32 --test-batch-size 32 --workers 0")
    assert "[    0/64]" in output
    assert "Best accuracy" in output


def test_char_lm_learns(tmp_path: Path) -> None:
    arguments = "--steps 61 --log-interval 20 --eval-interval 40 --eval-iters 2 --sample 20 --save char_lm.pt"
    output = run("char_lm", tmp_path, arguments)
    values = losses(output)
    assert len(values) == 4
    assert values[-1] < values[0] / 2
    validation = [float(value) for value in re.findall(r"val (\d+\.\d+)", output)]
    assert len(validation) == 3
    assert validation[-1] < validation[0]
    assert len(output.split("tokens/s\n")[1].rstrip("\n")) == 20
    assert (tmp_path / "char_lm.pt").stat().st_size > 0


def test_char_lm_reads_a_text(tmp_path: Path) -> None:
    (tmp_path / "input.txt").write_text("to be or not to be, that is the question. " * 40, encoding="utf-8")
    output = run("char_lm", tmp_path, "--text input.txt --steps 2 --eval-iters 1 --sample 4 --block-size 16")
    assert "1680 characters" in output


def test_resnet_learns(tmp_path: Path) -> None:
    output = run("resnet", tmp_path, "--seed 1 --epochs 3 --train-size 1536 --val-size 256 --save")
    values = [float(value) for value in re.findall(r"^Epoch.*Loss (\d+\.\d+) ", output, re.MULTILINE)]
    assert len(values) == 3 * 3
    assert values[-1] < values[0] / 2
    accuracy = [float(value) for value in re.findall(r" \* Acc@1 (\d+\.\d+)", output)]
    assert len(accuracy) == 3
    assert accuracy[-1] > max(accuracy[0], 60)
    assert {path.name for path in tmp_path.iterdir()} == {"checkpoint.pth.tar", "model_best.pth.tar"}
    resumed = run("resnet", tmp_path, "--resume checkpoint.pth.tar --evaluate --val-size 256")
    assert f"Acc@1 {accuracy[-1]:.3f}" in resumed


def test_detection_head_finds_objects(tmp_path: Path) -> None:
    output = run("detection_head", tmp_path, "--epochs 4 --train-size 384")
    found = re.search(r"objects: (\d+) there, (\d+) found, (\d+) right", output)
    assert found is not None
    assert int(found[3]) > 0.5 * int(found[1])


def test_mlm_learns(tmp_path: Path) -> None:
    output = run("mlm", tmp_path, "--train-size 2048 --eval-size 256 --epochs 2 --lr 3e-3 --output weights.pt")
    accuracy = [float(value) for value in re.findall(r"accuracy (\d\.\d+)", output)]
    assert len(accuracy) == 2
    assert accuracy[-1] > 0.7
    assert (tmp_path / "weights.pt").stat().st_size > 0


def test_grad_accum_learns(tmp_path: Path) -> None:
    """101 batches: the last window of the accumulation is short."""
    output = run("grad_accum", tmp_path, "--train-size 1616 --eval-size 256 --epochs 2 --log-steps 50 --output best.pt")
    values = losses(output)
    assert len(values) == 2 * 2
    assert values[-1] < values[0] / 2
    accuracy = [float(value) for value in re.findall(r"\| accuracy (\d\.\d+)", output)]
    assert len(accuracy) == 2
    assert accuracy[-1] > 0.8
    assert (tmp_path / "best.pt").stat().st_size > 0


def test_grad_accum_does_as_one_large_batch(tmp_path: Path) -> None:
    arguments = "--train-size 128 --eval-size 64 --epochs 1 --dropout 0 --seed 3"
    accumulated = run("grad_accum", tmp_path, f"{arguments} --batch-size 16 --accumulation-steps 4")
    at_once = run("grad_accum", tmp_path, f"{arguments} --batch-size 64 --accumulation-steps 1")
    ends = [float(re.findall(r"eval (\d+\.\d+)", output)[0]) for output in (accumulated, at_once)]
    assert ends[0] == pytest.approx(ends[1], abs=2e-4)


def test_vae_gan_learns(tmp_path: Path) -> None:
    output = run("vae_gan", tmp_path, "--niter 3 --train-size 512 --out images")
    reconstruction = [float(value) for value in re.findall(r"Loss_R: (\d+\.\d+)", output)]
    assert len(reconstruction) == 3 * 2
    assert reconstruction[-1] < reconstruction[0] / 2
    files = {path.name: path.read_bytes() for path in (tmp_path / "images").iterdir()}
    assert sorted(files)[:4] == [*(f"fake_samples_epoch_{epoch:03d}.pgm" for epoch in range(3)), "netD.pth"]
    assert files["fake_samples_epoch_002.pgm"].startswith(b"P5 128 128 255\n")


def test_seq2seq_learns(tmp_path: Path) -> None:
    output = run("seq2seq", tmp_path, "--epochs 3 --train-size 1536 --val-size 128 --dropout 0 --save weights.pt")
    values = losses(output)
    assert len(values) == 3 * 1536 // 32 // 16
    assert values[-1] < values[0] / 2
    accuracy = [float(value) for value in re.findall(r"accuracy (\d\.\d+)", output)]
    assert len(accuracy) == 3
    assert accuracy[-1] > max(accuracy[0], 0.5)
    assert (tmp_path / "weights.pt").stat().st_size > 0


def test_seq2seq_reads_pairs(tmp_path: Path) -> None:
    (tmp_path / "pairs.tsv").write_text("a stone\tpiedra\nthe old fox finds a stone\tviejo zorro halla piedra\n" * 32)
    output = run("seq2seq", tmp_path, "--data pairs.tsv --epochs 1 --val-size 32 --dim 16 --layers 1")
    assert "32 pairs" in output


def test_dlrm_learns(tmp_path: Path) -> None:
    output = run("dlrm", tmp_path, "--epochs 2 --train-size 4096 --log-interval 8 --save dlrm.pt")
    values = losses(output)
    assert len(values) == 2 * 4096 // 128 // 8
    assert values[-1] < values[0] / 2
    assert float(re.findall(r"Accuracy (0\.\d+)", output)[-1]) > 0.75
    clicks = [float(rate) for rate in output.split("clicks by prediction ")[-1].splitlines()[0].split()]
    assert clicks[-1] > 0.8 > 0.3 > clicks[0]
    assert (tmp_path / "dlrm.pt").stat().st_size > 0


def test_diffusion_sampling_learns_and_its_seed_decides(tmp_path: Path) -> None:
    output = run("diffusion_sampling", tmp_path, "--train-steps 120 --steps 20 --save-weights unet.pt")
    values = losses(output)
    assert values[-1] < values[0] / 5
    right, count = re.findall(r"(\d+) of (\d+) show their class", output)[0]
    assert int(right) >= 0.7 * int(count)
    end = output.splitlines()[-1]
    again = run("diffusion_sampling", tmp_path, "--weights unet.pt --steps 20 --out images")
    assert again.splitlines()[-1] == end
    assert run("diffusion_sampling", tmp_path, "--weights unet.pt --steps 20 --seed 1").splitlines()[-1] != end
    images = [path.read_bytes() for path in sorted((tmp_path / "images").iterdir())]
    assert len(images) == int(count)
    assert all(image.startswith(b"P5 16 16 255\n") for image in images)


def test_generate_writes_sentences(tmp_path: Path) -> None:
    output = run("generate", tmp_path, "--train-steps 120 --save-weights lm.pt")
    values = losses(output)
    assert values[-1] < values[0] / 4
    best = [run("generate", tmp_path, "--weights lm.pt --temperature 0 --num-samples 1") for _ in range(2)]
    (text,) = {re.findall(r"text: (.*)", output)[0] for output in best}
    assert re.fullmatch(r"(the \w+ \w+ \w+ a \w+( and then )?){1,3}", text)
    (sampled,) = re.findall(r"text: (.*)", run("generate", tmp_path, "--weights lm.pt --num-samples 1 --top-k 3"))
    assert sampled.startswith("the restless ")


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("ddp", "--multiprocessing-distributed --epochs 3 --train-size 1024 --val-size 256"),
        ("amp_resnet", "--amp --epochs 3 --train-size 1024 --test-size 256 --save amp.pt"),
    ],
)
def test_samples_of_images_learn(name: str, arguments: str, tmp_path: Path) -> None:
    output = run(name, tmp_path, arguments)
    accuracy = [float(value) for value in re.findall(r"accuracy (\d+\.\d)", output)]
    assert len(accuracy) == 3
    assert accuracy[-1] > max(accuracy[0], 75)
    assert list(tmp_path.glob("*.pt*"))


def test_ddp_goes_on_from_its_checkpoint(tmp_path: Path) -> None:
    run("ddp", tmp_path, "--multiprocessing-distributed --epochs 2 --train-size 512 --val-size 256")
    found = run("ddp", tmp_path, "--multiprocessing-distributed --evaluate --val-size 256 --resume checkpoint.pth.tar")
    assert len(re.findall("Validation", found)) == 1


def test_the_toy_trains_alike_from_its_checkpoint(tmp_path: Path) -> None:
    output = run("ddp_toy", tmp_path, "--steps 40")
    found = losses(output)
    assert len(found) == 8
    assert found[:4] == found[4:]
    assert found[3] < found[0]


def test_fsdp_vit_learns_and_saves_the_whole_weights(tmp_path: Path) -> None:
    output = run("fsdp_vit", tmp_path, "--epochs 2 --train-size 1024 --eval-size 256 --output vit.pt")
    accuracy = [float(value) for value in re.findall(r"\| accuracy (\d\.\d+)", output)]
    assert len(accuracy) == 2
    assert accuracy[-1] > 0.8
    weights = torch.load(tmp_path / "vit.pt", weights_only=True)
    assert {"summary", "patches.weight", "blocks.0.attention.qkv.weight", "head.bias"} <= set(weights)


def test_llama_spmd_learns_and_saves_the_whole_weights(tmp_path: Path) -> None:
    output = run("llama_spmd", tmp_path, "--epochs 3 --output llama.pt")
    values = losses(output)
    assert values[-1] < values[0] / 4
    weights = torch.load(tmp_path / "llama.pt", weights_only=True)
    assert {"embedding.weight", "layers.0.attention.wq.weight", "output.weight"} <= set(weights)

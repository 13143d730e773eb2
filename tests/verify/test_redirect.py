"""A CUDA program on the CPU: what it asks of the GPU is answered, and its numbers are those of the CPU."""

from __future__ import annotations

import textwrap
from pathlib import Path

from xlaport.verify import VerifyRequest
from xlaport.verify.events import Noticed, ParameterSeen, StepSeen, Trace
from xlaport.verify.parity_run import record


def played(folder: Path, source: str) -> Trace:
    """The run of a script, which asserts what it expects."""
    (folder / "script.py").write_text(textwrap.dedent(source), encoding="utf-8")
    trace = record(VerifyRequest("script.py", timeout=300, directory=folder), "original", "it")
    assert isinstance(trace, Trace), trace
    return trace


def test_devices_moves_and_the_memory_of_what_is_where(tmp_path: Path) -> None:
    played(
        tmp_path,
        """\
        import torch
        device = torch.device("cuda")
        assert device.type == "cuda"
        host = torch.ones(3)
        moved = host.cuda(non_blocking=True)
        moved += 1
        assert host.tolist() == [1, 1, 1], "a copy is made on the way there"
        assert moved.to(device) is moved and moved.to("cuda:0") is moved and moved.to(0) is moved
        back = moved.cpu()
        back += 1
        assert moved.tolist() == [2, 2, 2], "and on the way back"
        assert moved.is_cuda and moved.device == torch.device("cuda:0") and moved.get_device() == 0
        for made in (
            torch.zeros(3, device=device), torch.arange(3, device="cuda"), torch.full_like(host, 2, device=0),
            host.new_ones(3, device=device), torch.randn(3, device="cuda", generator=torch.Generator(device)),
        ):
            assert made.to(device) is made
            assert (made + moved + made.new_zeros(3)).device.type == "cuda"
        with torch.device("cuda"):
            assert torch.ones(2).sum().item() == 2
        torch.set_default_device("cuda")
        assert torch.ones(2).sum().item() == 2
        torch.set_default_device("cpu")
        model = torch.nn.Linear(3, 2).cuda()
        weight = model.weight
        assert weight.to(device) is weight and model.to("cuda").weight is weight
        torch.save(model.state_dict(), "weights.pt")
        model.load_state_dict(torch.load("weights.pt", map_location="cuda:0"))
        assert torch.cuda.FloatTensor([1.0]).type(torch.cuda.LongTensor).tolist() == [1]
        assert isinstance(torch.default_generator, torch.Generator)
        """,
    )


def test_questions_streams_precision_and_processes(tmp_path: Path) -> None:
    trace = played(
        tmp_path,
        """\
        import torch, torch.distributed as dist
        assert torch.cuda.is_available() and torch.cuda.device_count() == 1 and torch.cuda.current_device() == 0
        torch.cuda.set_device(0); torch.cuda.synchronize(); torch.cuda.empty_cache(); torch.cuda.manual_seed_all(3)
        assert torch.cuda.memory_allocated() == 0 and torch.cuda.memory_stats()["anything"] == 0
        assert torch.cuda.get_device_properties(0).total_memory > 0
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record(); end.record()
        assert start.elapsed_time(end) > 0
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side), torch.cuda.device(0), torch.cuda.nvtx.range("step"):
            pass
        model = torch.nn.Linear(3, 2).cuda()
        scaler = torch.cuda.amp.GradScaler()
        optimizer = torch.optim.AdamW(model.parameters(), fused=True, capturable=True)
        with torch.cuda.amp.autocast():
            out = torch.nn.DataParallel(model)(torch.ones(4, 3).cuda())
        assert out.dtype is torch.float32
        scaler.scale(out.sum()).backward()
        scaler.step(optimizer)
        scaler.update()
        assert scaler.get_scale() == 1.0
        dist.init_process_group("nccl")
        wrapped = torch.nn.parallel.DistributedDataParallel(torch.nn.SyncBatchNorm.convert_sync_batchnorm(model), [0])
        wrapped(torch.ones(2, 3).cuda()).sum().backward()
        total = torch.ones(1).cuda()
        dist.all_reduce(total)
        assert total.item() == 1 and dist.get_world_size() == 1
        data = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(torch.ones(4, 3)), pin_memory=True)
        assert sum(x.cuda().sum().item() for (x,) in data) == 12
        assert torch.compile(model) is model
        with torch.random.fork_rng():
            torch.randn(2)
        """,
    )
    (lower,) = [event for event in trace.events if isinstance(event, Noticed) and event.what == "autocast"]
    assert lower.detail == "float16"
    (step,) = [event for event in trace.events if isinstance(event, StepSeen)]
    assert (step.parameters, step.with_gradient) == (2, 2)


def test_what_is_divided_over_gpus_stays_in_one_process_and_its_parameters_keep_their_names(tmp_path: Path) -> None:
    trace = played(
        tmp_path,
        """\
        import torch
        import torch.distributed as dist
        from torch.distributed.device_mesh import init_device_mesh
        from torch.distributed.fsdp import FullyShardedDataParallel as FSDP, fully_shard
        dist.init_process_group("nccl")
        device = torch.device("cuda", 0)
        mesh = init_device_mesh("cuda", (1,))
        assert mesh.size() == 1 and dist.get_world_size(dist.new_group(backend="nccl")) == 1
        model = torch.nn.Sequential(FSDP(torch.nn.Linear(4, 3).to(device), device_id=device), torch.nn.Linear(3, 2))
        model = FSDP(model, device_id=device)
        other = torch.nn.Linear(2, 1).to(device)
        fully_shard(other)
        optimizer = torch.optim.SGD([*model.parameters(), *other.parameters()], lr=0.1)
        for step in range(3):
            loss = other(model(torch.randn(8, 4, device=device))).pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        dist.destroy_process_group()
        """,
    )
    seen = [event for event in trace.events if isinstance(event, ParameterSeen) and not event.end]
    shapes = {event.name: event.shape for event in seen}
    assert shapes == {
        "0.bias": (3,),
        "0.weight": (3, 4),
        "1.bias": (2,),
        "1.weight": (2, 3),
        "bias": (1,),
        "weight": (1, 2),
    }
    assert sum(isinstance(event, StepSeen) for event in trace.events) == 3


def test_what_spreads_a_model_over_several_stays_a_class(tmp_path: Path) -> None:
    played(
        tmp_path,
        """\
        import torch
        from torch.nn.parallel.data_parallel import DataParallel

        class Ours(DataParallel):
            def replicate(self, module, device_ids):
                raise AssertionError("there is one device")

        for kind in (torch.nn.DataParallel, Ours):
            model = kind(torch.nn.Linear(3, 2), device_ids=[0, 1]).cuda()
            assert isinstance(model, DataParallel) and isinstance(model, torch.nn.DataParallel)
            assert model(torch.ones(4, 3).cuda()).shape == (4, 2) and model.device_ids == [0]
        torch.optim.SGD(model.parameters(), lr=0.1).step()
        """,
    )


def test_a_model_that_is_cast_to_a_lower_precision_is_noticed(tmp_path: Path) -> None:
    trace = played(
        tmp_path,
        """\
        import copy, torch
        model = torch.nn.Linear(2, 1).cuda()
        assert copy.deepcopy(model).half().weight.dtype == torch.float16
        assert model.bfloat16() is model and model.weight.dtype == torch.bfloat16
        """,
    )
    cast = [event.detail for event in trace.events if isinstance(event, Noticed) and event.what == "cast"]
    assert cast == ["float16", "bfloat16"]

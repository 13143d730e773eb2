import torch
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP, StateDictType


def main(net, device):
    model = FSDP(net, device_id=device)
    with FSDP.state_dict_type(model, StateDictType.FULL_STATE_DICT):
        return {"model": model.state_dict(), "epoch": 1}

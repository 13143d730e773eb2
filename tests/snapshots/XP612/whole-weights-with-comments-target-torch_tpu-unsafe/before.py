import torch
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP, StateDictType


def save(model, path):
    with FSDP.state_dict_type(  # on each host
        model,
        StateDictType.FULL_STATE_DICT,
    ):  # all the weights
        # Every process has to come here.

        # Or it hangs.
        state = model.state_dict()
        text = """
        saved
            whole
        """
        print(
            len(model.state_dict()), f"""{len(
                state)} weights
        of {len(model.state_dict())}""",
        )
        # the end
    torch.save(state, path)
    print(text)


def weights(model):
    with FSDP.state_dict_type(model, StateDictType.FULL_STATE_DICT): print(1); return model.state_dict()  # as they are


def moved(model):
    if model.training:
        with FSDP.state_dict_type(model, StateDictType.FULL_STATE_DICT):

            return model\
                .state_dict()

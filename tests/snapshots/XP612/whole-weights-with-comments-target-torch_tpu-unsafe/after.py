import torch
import torch.distributed.checkpoint.state_dict


def whole_state_dict(model, first_only=False):
    """The whole weights of a sharded model, on the host (of the first process); every process has to call it."""
    states = torch.distributed.checkpoint.state_dict
    options = states.StateDictOptions(full_state_dict=True, cpu_offload=first_only)
    state = states.get_model_state_dict(model, options=options)
    return state if first_only else {name: value.cpu() for name, value in state.items()}


def save(model, path):
    # on each host
    # all the weights
    # Every process has to come here.
    # Or it hangs.
    state = whole_state_dict(model)
    text = """
        saved
            whole
        """
    print(
        len(whole_state_dict(model)), f"""{len(
                state)} weights
        of {len(whole_state_dict(model))}""",
    )
    # the end
    torch.save(state, path)
    print(text)


def weights(model):
    print(1)
    return whole_state_dict(model)  # as they are


def moved(model):
    if model.training:
        return whole_state_dict(model)

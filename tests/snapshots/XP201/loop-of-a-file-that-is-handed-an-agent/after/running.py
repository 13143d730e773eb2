import torch_xla

def run_steps(agent):
    while agent.steps < 200:
        agent.step()
        torch_xla.sync()

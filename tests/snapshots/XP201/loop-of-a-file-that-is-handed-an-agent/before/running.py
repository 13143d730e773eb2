def run_steps(agent):
    while agent.steps < 200:
        agent.step()

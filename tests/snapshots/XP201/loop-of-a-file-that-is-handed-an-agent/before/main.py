from agents import Agent
from running import run_steps

run_steps(Agent({"lr": 0.001}))

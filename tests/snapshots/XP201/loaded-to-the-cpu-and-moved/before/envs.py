import gym


def make_env(name):
    return gym.make(name)


def placed(policy):
    return policy.cuda()

from torch.utils.tensorboard import SummaryWriter


class Logger(SummaryWriter):
    def __init__(self, folder):
        super(Logger, self).__init__(folder)
        self.best = 0.0

    def add_scalar(self, tag, value, step=None):
        self.best = max(self.best, float(value))
        super().add_scalar(tag, value, step)

    def log_training(self, loss, norm, iteration):
        self.add_scalar("training.loss", loss, iteration)
        self.add_scalar("grad.norm", norm, iteration)

from torch.utils.tensorboard import SummaryWriter


class Logger(SummaryWriter):
    def __init__(self, folder):
        super(Logger, self).__init__(folder)

    def log_training(self, loss, norm, iteration):
        self.add_scalar("training.loss", loss, iteration)
        self.add_scalar("grad.norm", norm, iteration)

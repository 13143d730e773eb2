class Server:
    def __init__(self):
        self.device = "xla"

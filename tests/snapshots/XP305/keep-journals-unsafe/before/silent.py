"""It silences the logging of the program."""

import logging


class Logger:
    def __init__(self):
        self.rows = []

    def add(self, value):
        self.rows.append(value)

    def dump(self):
        print(self.rows)
        self.rows.clear()
        logging.disable(logging.INFO)

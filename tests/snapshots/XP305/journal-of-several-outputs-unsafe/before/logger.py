import os
import time


class Csv:
    def __init__(self, path):
        self.file = open(path, "w+t")
        self.keys = []

    def write(self, values):
        more = sorted(values.keys() - self.keys)
        if more:
            self.keys.extend(more)
            self.file.seek(0)
            lines = self.file.readlines()
            self.file.seek(0)
            self.file.write(",".join(self.keys) + "\n")
            for line in lines[1:]:
                self.file.write(line[:-1] + "," * len(more) + "\n")
        self.file.write(",".join(str(values.get(key, "")) for key in self.keys) + "\n")
        self.file.flush()


class TensorBoard:
    def __init__(self, path):
        import tensorflow as tf
        from tensorflow.core.util import event_pb2
        from tensorflow.python import pywrap_tensorflow

        self.tf, self.event_pb2 = tf, event_pb2
        self.writer = pywrap_tensorflow.EventsWriter(path)
        self.step = 1

    def write(self, values):
        summary = self.tf.Summary(value=[self.tf.Summary.Value(tag=k, simple_value=float(v)) for k, v in values.items()])
        event = self.event_pb2.Event(wall_time=time.time(), summary=summary)
        event.step = self.step
        self.writer.WriteEvent(event)
        self.writer.Flush()
        self.step += 1


def output(name, path):
    if name == "csv":
        return Csv(path + ".csv")
    return TensorBoard(path)


class Logger:
    CURRENT = None

    def __init__(self, outputs):
        self.values, self.outputs = {}, outputs

    def put(self, key, value):
        self.values[key] = self.values.get(key, 0.0) + value

    def dump(self):
        for each in self.outputs:
            each.write(self.values)
        self.values.clear()


def configure(path, names=("csv",)):
    outputs = [output(name, path) for name in names]
    Logger.CURRENT = Logger(outputs=outputs)
    if outputs:
        print(f"Logging to {path}")


def current():
    if Logger.CURRENT is None:
        configure(os.getenv("LOG", "log"))
    return Logger.CURRENT


def put(key, value):
    current().put(key, value)


def dump():
    current().dump()

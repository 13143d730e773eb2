from .devices import *

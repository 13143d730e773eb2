import sys

from algorithms import algorithm_class

algorithm = algorithm_class(sys.argv[1])(0.1)
algorithm.to("xla")

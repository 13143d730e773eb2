import logging

logging.info("GPU")

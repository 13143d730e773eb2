"""What earlier runs found, kept on disk: a run over the same files with the same rules does not analyse them again."""

"""What a run has shown of expressions that the analysis does not know: evidence, kept by the content of the files."""

"""Files beside the code that say how it is run: configurations, launchers, requirements.

The pipe is that of Python files, with less in it: name ─► kind, text ─► entries, commands or requirements ─►
findings ─► text. Nothing here knows CUDA or torch_xla; the rules in ``rules/launch`` do.
"""

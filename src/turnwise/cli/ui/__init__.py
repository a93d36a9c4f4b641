"""Shared code of the commands: options, output, progress, states from files, human players."""

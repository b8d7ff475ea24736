"""The command line: `collectives list`, `run`, `check`, `time`, `video`, `page`, `lab` …."""

from collectives.cli.commands import cli, main

__all__ = ["cli", "main"]

if __name__ == "__main__":
    main()

"""Runs a notebook and prints what its cells print. The only argument is its path."""

import pathlib
import sys

import nbformat
from nbclient import NotebookClient


def main():
    path = pathlib.Path(sys.argv[1]).resolve()
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(notebook, timeout=1800, resources={"metadata": {"path": path.parent}})
    for cell in client.execute().cells:
        for output in cell.get("outputs", []):
            if output.output_type == "stream" and output.name == "stdout":
                print(output.text, end="")


if __name__ == "__main__":
    main()

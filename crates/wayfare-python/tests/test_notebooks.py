"""The notebooks of the documentation, run from the first to the last cell."""

import pathlib
import re

import nbformat
import pytest
from nbclient import NotebookClient

FOLDER = pathlib.Path(__file__).parents[3] / "docs/notebooks"


def printed(notebook):
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    return "".join(output.text for output in outputs if output.output_type == "stream")


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.ipynb")), ids=lambda path: path.name)
def test_a_notebook_is_kept_without_outputs(path):
    notebook = nbformat.read(path, as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells)


def test_the_study_of_a_bottleneck_runs_and_has_the_results_that_it_tells_of(tmp_path):
    notebook = nbformat.read(FOLDER / "bottleneck.ipynb", as_version=4)
    client = NotebookClient(notebook, timeout=600, resources={"metadata": {"path": tmp_path}})
    told = printed(client.execute())
    by_pedpy, by_wayfare = map(float, re.findall(r"(?:PedPy|Wayfare): ([\d.]+)", told))
    assert abs(by_pedpy - by_wayfare) < 0.02
    assert float(re.search(r"density and speed: (-?[\d.]+)", told)[1]) < -0.5
    flows = [float(flow) for flow in re.findall(r"m: ([\d.]+) \+-", told)]
    assert len(flows) == 4 and flows == sorted(flows)

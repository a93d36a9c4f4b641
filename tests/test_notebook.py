"""The notebook tutorial: it runs in a kernel, and its stored results are those that the current code gives."""

import os
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOK = Path(__file__).parent.parent / "docs" / "tutorials" / "notebook.ipynb"


def results(cell):
    """What a cell shows; messages about compiling, on the error stream, depend on the cache."""
    shown = []
    for output in cell.outputs:
        if output.output_type == "stream" and output.name == "stdout":
            if shown and isinstance(shown[-1], str):  # a kernel sends what is printed in pieces, as it finds time
                shown[-1] += output.text
            else:
                shown.append(output.text)
        elif output.output_type in ("execute_result", "display_data"):
            shown.append(dict(output.data))
    return shown


@pytest.mark.slow
def test_the_notebook_runs_and_its_stored_results_are_current(tmp_path):
    stored = nbformat.read(NOTEBOOK, as_version=4)
    nbformat.validate(stored)
    run = nbformat.read(NOTEBOOK, as_version=4)
    for cell in run.cells:
        if cell.cell_type == "code":
            cell.outputs = []
    environment = {**os.environ, "IPYTHONDIR": str(tmp_path)}
    client = NotebookClient(run, timeout=600, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}})
    client.execute(env=environment)
    pictures = 0
    for number, (before, now) in enumerate(zip(stored.cells, run.cells, strict=True)):
        if now.cell_type == "code":
            assert not [output for output in before.get("outputs", ()) if output.get("name") == "stderr"]
            assert results(now) == results(before), f"cell {number}: run the notebook again and save it"
            pictures += sum("image/svg+xml" in shown for shown in results(now) if isinstance(shown, dict))
    assert pictures >= 4


def test_the_notebook_names_nothing_of_a_machine():
    text = NOTEBOOK.read_text()
    assert str(Path.home()) not in text
    assert "/tmp" not in text

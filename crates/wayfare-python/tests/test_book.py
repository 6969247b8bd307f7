"""The tabs "Python" of the book do what the scene files beside them do."""

import runpy
from pathlib import Path

import pytest

import wayfare

CODE = Path(__file__).parents[3] / "book" / "code"


@pytest.mark.parametrize("chapter", sorted(path.name for path in CODE.iterdir()))
def test_a_tab_prints_what_the_scene_gives(
    chapter: str, capsys: pytest.CaptureFixture[str]
) -> None:
    runpy.run_path(str(CODE / chapter / "main.py"))
    crowd = wayfare.load(CODE / chapter / "scene.toml").crowd()
    crowd.step(100)
    expected = "".join(f"{x:.3f} {y:.3f}\n" for x, y in crowd.position)
    assert expected and capsys.readouterr().out == expected

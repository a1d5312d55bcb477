"""Compilation, findings, images."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest

import pleach

TREE = "action heal() tree main { action heal }"


def test_a_file_may_include_files_of_its_folder_only(tmp_path: Path) -> None:
    (tmp_path / "legs.pleach").write_text("action step() tree walk { action step }")
    main = tmp_path / "main.pleach"
    main.write_text('include "legs.pleach" tree main { use walk }')
    assert pleach.compile(main).entries == ["main"]
    main.write_text('include "../legs.pleach" tree main { use walk }')
    with pytest.raises(pleach.CompileError):
        pleach.compile(main)


def test_texts_are_found_by_their_names() -> None:
    files: dict[str, str | bytes] = {}
    files["main.pleach"] = 'include "legs.pleach" tree main { use walk }'
    files["legs.pleach"] = b"tree walk { success }"
    assert "main" in pleach.compile(files=files).entries
    bots: dict[str, str | bytes] = {"guard.bt": "selector { action heal() }"}
    assert pleach.compile(files=bots).dialect == "unvanquished"


def test_errors_print_as_the_command_prints_them() -> None:
    with pytest.raises(pleach.CompileError) as caught:
        pleach.compile(text="tree main {\n\taction heal\n}")
    error = caught.value
    assert str(error).startswith("error[E0611]: ") and "text.pleach:2:9" in str(error)
    assert str(error).rstrip().endswith("1 file: 1 error")
    (finding,) = error.findings
    assert (finding.severity, finding.code, finding.line, finding.column) == ("error", "E0611", 2, 9)
    assert str(finding) == finding.brief
    copy = pickle.loads(pickle.dumps(error))
    assert str(copy) == str(error) and str(copy.findings[0]) == str(finding)


def test_warnings_are_findings_of_the_image() -> None:
    image = pleach.compile(text="action heal()\nvar unused: int\ntree main { action heal }")
    assert [finding.severity for finding in image.findings] == ["warning"]


def test_wrong_requests_are_errors(tmp_path: Path) -> None:
    with pytest.raises(TypeError):
        pleach.compile()
    with pytest.raises(TypeError):
        pleach.compile("main.pleach", text=TREE)
    with pytest.raises(ValueError, match="there is no dialect `basic`"):
        pleach.compile(text=TREE, dialect="basic")
    with pytest.raises(FileNotFoundError):
        pleach.compile(tmp_path / "nothing.pleach")
    with pytest.raises(OSError):
        pleach.compile(text=TREE, manifests=[tmp_path / "nothing.manifest"])
    with pytest.raises(pleach.CompileError):
        pleach.compile(text=TREE, manifest="action")


def test_images_are_saved_loaded_and_pickled(tmp_path: Path) -> None:
    text = "action heal() query hurt(): bool on hit { } tree main { while hurt { action heal } }"
    image = pleach.compile(text=text)
    assert (image.actions, image.queries, image.events) == (["heal"], ["hurt"], ["hit"])
    labels = [node.label for node in image.nodes]
    assert (
        labels[-3:] == ["tree main", "while", "action heal"] and image.nodes[-1].parent == image.nodes[-2].id
    )
    path = tmp_path / "main.plc"
    image.save(path)
    for other in [pleach.Image.load(path), pleach.Image(bytes(image)), pickle.loads(pickle.dumps(image))]:
        assert bytes(other) == bytes(image)
    path.write_bytes(bytes(image)[:-1])
    with pytest.raises(pleach.ImageError):
        pleach.Image.load(path)
    with pytest.raises(pleach.ImageError):
        pleach.Image(b"nothing")
    with pytest.raises(FileNotFoundError):
        pleach.Image.load(tmp_path / "nothing.plc")


def test_linking_names_all_missing_functions(host: pleach.Host) -> None:
    image = pleach.compile(
        text="action heal() action flee() tree main { sequence { action heal action flee } }"
    )
    host.scripted("heel")
    with pytest.raises(pleach.LinkError) as caught:
        pleach.Program(image, host)
    assert "`heal`" in str(caught.value) and "`flee`" in str(caught.value)


def test_entry_means_one_thing_for_paths_and_texts(tmp_path: Path) -> None:
    path, text = tmp_path / "main.pleach", "tree main { success } tree other { success }"
    path.write_text(text)
    forms: list[dict[str, Any]] = [{"path": path}, {"text": text}, {"files": {"main.pleach": text}}]
    for form in forms:
        assert pleach.compile(**form, entry="other").entries == ["main", "other"]
    bots = {"guard.bt": "selector { behavior legs }", "legs.bt": "selector { action heal() }"}
    for name, bot in bots.items():
        (tmp_path / name).write_text(bot)
    forms = [{"path": tmp_path / "guard.bt"}, {"files": bots}]
    for form in forms:
        assert pleach.compile(**form).entries == ["guard"]
        assert pleach.compile(**form, entry="legs").entries == ["legs"]
        assert pleach.compile(**form, entry=["legs", "guard"]).entries == ["legs", "guard"]

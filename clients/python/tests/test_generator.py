"""What the generator writes for names that Python does not allow."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any, Dict, get_type_hints

import pytest

path = Path(__file__).resolve().parents[1] / "scripts/generate.py"


@pytest.fixture(scope="module")
def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate", path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def written_types(generator: ModuleType, schemas: Dict[str, Any]) -> Dict[str, Any]:
    """Runs the written types, and returns the module's variables."""
    module = ModuleType("written_types")
    sys.modules["written_types"] = module
    exec(compile(generator.write_types(schemas), "written_types.py", "exec", dont_inherit=True), vars(module))
    return vars(module)


@pytest.mark.parametrize("field", ["from", "None", "class", "await", "end-user", "1st", "__private", "a b", "match", "type"])
def test_fields_of_types_have_any_name(generator: ModuleType, field: str) -> None:
    schema = {
        "properties": {field: {"type": "string"}, "later": {"$ref": "#/components/schemas/Later"}},
        "required": [field],
        "description": "Has “quotes” and a \\ and\na second line.",
    }
    later = {"properties": {"n": {"enum": [True, 1, "a"]}}}
    written = written_types(generator, {"Range": schema, "Later": later})
    assert get_type_hints(written["Range"]) == {field: str, "later": written["Later"]}


@pytest.mark.parametrize("field", ["from", "end-user"])
def test_types_of_nested_objects_are_named_after_any_field(generator: ModuleType, field: str) -> None:
    nested = {"properties": {field: {"properties": {"import": {"type": "integer"}}}}}
    written = written_types(generator, {"Outer": nested})
    (inner,) = get_type_hints(written["Outer"]).values()
    assert get_type_hints(inner) == {"import": int}


@pytest.mark.parametrize(
    "schemas",
    [
        {"Page_of.a": {"properties": {}}},
        {"None": {"properties": {}}},
        {"Dict": {"properties": {}}},
        {"AB": {"properties": {}}, "A": {"properties": {"b": {"properties": {"c": {}}}}}},
    ],
)
def test_a_schema_whose_name_cannot_be_a_new_type_is_refused(generator: ModuleType, schemas: Dict[str, Any]) -> None:
    with pytest.raises(SystemExit, match="rename"):
        generator.write_types(schemas)


@pytest.mark.parametrize("field", ["from", "self", "options", "cast", "end-user", "1st", "None", "match"])
def test_parameters_have_any_name(generator: ModuleType, field: str) -> None:
    operation = {
        "summary": 'Has a \\ and """quotes"""',
        "parameters": [{"in": "query", "name": field, "schema": {"type": "string"}}],
        "responses": {},
    }
    code = generator.write_operation("operation", "call", ("GET", "/ids/{id}/{import}", operation))
    compile(f"class Operations:\n{code}\n", "written_operation.py", "exec", dont_inherit=True)
    assert f'"{field}": ' in code

"""Compiles and imports the package, and compiles its scripts, tests, README and example. Writes no file.

Modules that need httpx are imported only if it is installed. Otherwise prints their names.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
import sys
import types
import typing
import warnings
from importlib.util import find_spec
from pathlib import Path
from typing import Dict, Iterator, List, Tuple

folder = Path(__file__).resolve().parent.parent
package = folder / "grounded_chat"
#: Dependencies that pyproject.toml names.
dependencies = ("httpx", "typing_extensions")


def programs() -> Iterator[Tuple[str, str]]:
    """Yields the name and the code of each program."""
    examples = folder.parents[1] / "examples"
    for path in sorted([*folder.rglob("*.py"), *examples.rglob("*.py")]):
        yield str(path), path.read_text("utf-8")
    readme = folder / "README.md"
    for block in re.finditer(r"^```python\n(.*?)^```$", readme.read_text("utf-8"), re.MULTILINE | re.DOTALL):
        yield f"{readme} (block at character {block.start()})", block.group(1)


def compile_programs() -> int:
    count = 0
    for name, code in programs():
        compile(code, name, "exec", dont_inherit=True)
        count += 1
    return count


def import_modules() -> Tuple[List[types.ModuleType], Dict[str, str]]:
    """Returns the modules, and of those that cannot be imported the missing dependency."""
    sys.path.insert(0, str(folder))
    if not find_spec("httpx"):
        # The package's own `__init__` needs httpx. Its other modules are imported without it.
        without_init = types.ModuleType("grounded_chat")
        without_init.__path__ = [str(package)]
        sys.modules["grounded_chat"] = without_init
    imported = []
    missing = {}
    names = [f"grounded_chat.{one.name}" for one in pkgutil.iter_modules([str(package)])]
    for part in ("_async", "_sync"):
        names += [f"grounded_chat.{part}.{one.name}" for one in pkgutil.iter_modules([str(package / part)])]
    for name in names:
        try:
            imported.append(importlib.import_module(name))
        except ModuleNotFoundError as error:
            if error.name not in dependencies or find_spec(error.name):
                raise
            missing[name] = error.name
    return imported, missing


def resolve_annotations(modules: List[types.ModuleType]) -> None:
    """Fails if an annotation of a class or of a method names a type that does not exist."""
    for module in modules:
        for one in vars(module).values():
            if not isinstance(one, type) or one.__module__ != module.__name__:
                continue
            typing.get_type_hints(one)
            for method in vars(one).values():
                if isinstance(method, types.FunctionType):
                    typing.get_type_hints(method)


def main() -> None:
    if sys.version_info < (3, 9):
        print("skipped: the Python client needs Python 3.9 or later")
        return
    warnings.simplefilter("error")
    sys.dont_write_bytecode = True
    compiled = compile_programs()
    modules, missing = import_modules()
    resolve_annotations(modules)
    print(f"compiled {compiled} programs, imported {len(modules)} modules of grounded_chat")
    for dependency in sorted(set(missing.values())):
        names = ", ".join(name for name in missing if missing[name] == dependency)
        print(f"skipped: {dependency} is not installed, so these modules are not imported: {names}")


if __name__ == "__main__":
    main()

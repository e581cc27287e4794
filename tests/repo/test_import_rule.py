"""The one-way rule: who may import whom, between packages and inside them."""

import ast
import re
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CORE_ALLOWED = frozenset(
    {"__future__", "collections", "dataclasses", "functools", "json", "math", "pkgutil", "re", "types"}
    | {"typing", "unicodedata"}
)
STANDARD = frozenset(sys.stdlib_module_names)
BUILDER_LIBRARIES = frozenset(
    {"brotli", "cryptography", "distributed", "fontTools", "jinja2", "markdown_it", "markupsafe"}
    | {"mdit_py_plugins", "pyodide_lock", "segno", "tqdm", "watchfiles"}
)
IMPORT_LIBRARIES = frozenset({"bs4", "mammoth", "markdown_it", "markdownify", "pdfplumber"})
ALLOWED: Mapping[str, frozenset[str]] = {
    "cairn_core": CORE_ALLOWED,
    "builder": STANDARD | BUILDER_LIBRARIES | {"cairn_core"},
    "builder.intake": STANDARD | IMPORT_LIBRARIES | {"builder", "cairn_core"},
    "bench": STANDARD | {"cairn_core"},
}
"""Package -> the top-level names it may import besides itself."""


def declared_order(docstring: str) -> list[str]:
    """Return the modules a package docstring lists: lines of a name, two spaces or more, and what it does."""
    return re.findall(r"^(\w+)\s{2,}\S", docstring, re.MULTILINE)


def imported(tree: ast.AST, package: str, modules: frozenset[str]) -> set[str]:
    """Return the dotted names a module imports anywhere; `from package import module` names the module."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level:
            names.add("." * node.level + (node.module or ""))
        elif isinstance(node, ast.ImportFrom):
            found = [a.name for a in node.names if node.module == package and a.name in modules]
            names.update(f"{package}.{name}" for name in found)
            if len(found) < len(node.names):
                names.add(node.module or "")
    return names


def before(parent: str, package: str) -> frozenset[str]:
    """Return the modules of `parent` that stand before the package inside it."""
    source = (ROOT / parent / "__init__.py").read_text(encoding="utf-8")
    order = declared_order(ast.get_docstring(ast.parse(source)) or "")
    return frozenset(order[: order.index(package.rpartition(".")[2])])


def refusal(name: str, package: str, earlier: frozenset[str]) -> str | None:
    """Say why a module may not import `name`, when it may only see the `earlier` modules of its package."""
    if name.startswith("."):
        return "relative import"
    inside = f"{name}.".startswith(f"{package}.")
    parent = package.rpartition(".")[0]
    rest = name[len(package) + 1 :]
    if not inside and name.startswith(f"{parent}.") and parent in ALLOWED:
        return (
            None
            if name[len(parent) + 1 :].split(".")[0] in before(parent, package)
            else "not below its package"
        )
    if not inside:
        allowed = ALLOWED[package.partition(".")[0]]
        return None if name.partition(".")[0] in allowed else f"{package} may not import it"
    if not rest:
        return None if package == "builder" else "the package itself, which is above its modules"
    return None if rest.split(".")[0] in earlier else "not earlier in the package's order"


def violations(package: str, sources: Mapping[str, str]) -> list[str]:
    """Check the modules of one package, module name -> source; `__init__` holds the order and sees all."""
    docstring = ast.get_docstring(ast.parse(sources["__init__"])) or ""
    order = declared_order(docstring)
    modules = frozenset(sources) - {"__init__", "__main__"}
    found = [f"{package}.{name} is not in the order" for name in sorted(modules - set(order))]
    found += [f"{package}.{name} is in the order and does not exist" for name in order if name not in modules]
    found += [f"{package}.{name} is in the order twice" for name in sorted(modules) if order.count(name) > 1]
    for name, source in sorted(sources.items()):
        earlier = frozenset(order[: order.index(name)]) if name in order else frozenset(order)
        for target in sorted(imported(ast.parse(source), package, modules)):
            reason = refusal(target, package, earlier)
            if reason:
                found.append(f"{package}.{name} imports {target}: {reason}")
    return found


def sources_of(package: str) -> dict[str, str]:
    """Return the modules of a package by name; a package inside it counts as one module, its `__init__`."""
    folder = ROOT / package.replace(".", "/")
    paths = {path.stem: path for path in sorted(folder.glob("*.py"))}
    paths |= {path.parent.name: path for path in sorted(folder.glob("*/__init__.py"))}
    return {name: path.read_text(encoding="utf-8") for name, path in paths.items()}


@pytest.mark.parametrize(
    "package", [*(name for name in ALLOWED if (ROOT / name).is_dir()), "bench.judging", "builder.lint"]
)
def test_every_module_imports_only_what_its_place_allows(package: str) -> None:
    assert violations(package, sources_of(package)) == []


ONE, TWO = '"""X.\n\na  one\n"""', '"""X.\n\na  one\nb  two\n"""'
PLANTED: Mapping[str, tuple[str, dict[str, str], str]] = {
    "a module outside the allow-list": (
        "cairn_core",
        {"__init__": ONE, "a": "import tomllib"},
        "a imports tomllib",
    ),
    "an import inside a function": (
        "cairn_core",
        {"__init__": ONE, "a": "def f():\n    import os"},
        "a imports os",
    ),
    "a later module": (
        "cairn_core",
        {"__init__": TWO, "a": "from cairn_core.b import f", "b": ""},
        "a imports cairn_core.b: not earlier",
    ),
    "a later module taken from the package": (
        "builder",
        {"__init__": TWO, "a": "from builder import b", "b": ""},
        "a imports builder.b: not earlier",
    ),
    "the builder imports the bench": (
        "builder",
        {"__init__": ONE, "a": "import bench.judge"},
        "a imports bench.judge",
    ),
    "the bench imports the builder": (
        "bench",
        {"__init__": ONE, "a": "from builder import build_index"},
        "a imports builder",
    ),
    "a relative import": ("bench", {"__init__": ONE, "a": "from . import b"}, "relative import"),
    "a module without a place": ("bench", {"__init__": '"""X."""', "a": ""}, "a is not in the order"),
    "a place without a module": ("bench", {"__init__": ONE}, "a is in the order and does not exist"),
}


@pytest.mark.parametrize(("package", "sources", "expected"), PLANTED.values(), ids=list(PLANTED))
def test_a_planted_violation_is_caught(package: str, sources: dict[str, str], expected: str) -> None:
    assert [line for line in violations(package, sources) if expected in line]


def test_a_package_that_keeps_the_rule_has_no_violations() -> None:
    sources = {"__init__": '"""X.\n\na  one\nb  two\n"""\nfrom cairn_core.b import f', "a": "import re"}
    assert (
        violations("cairn_core", {**sources, "b": "from cairn_core import a\nfrom cairn_core.a import f"})
        == []
    )

"""The reference design's discovery rule, in our own words: which files of a folder register a tool.

A file counts when one of the statements at its top level is a bare call of `registry.register`, or when
such a call stands directly in the body of a `for` loop at its top level. Files that do not mention both
words are not parsed. Prints how many files count.
"""

import ast
import sys
from pathlib import Path

SKIPPED = {"__init__.py", "registry.py", "mcp_tool.py"}


def is_registration(statement):
    if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Call):
        return False
    callee = statement.value.func
    return (
        isinstance(callee, ast.Attribute)
        and callee.attr == "register"
        and isinstance(callee.value, ast.Name)
        and callee.value.id == "registry"
    )


def registers_tools(path):
    try:
        text = path.read_text(encoding="utf-8-sig")
        if "registry" not in text or "register" not in text:
            return False
        body = ast.parse(text, filename=str(path)).body
    except (OSError, SyntaxError):
        return False
    for statement in body:
        inner = statement.body if isinstance(statement, ast.For) else [statement]
        if any(is_registration(child) for child in inner):
            return True
    return False


def main():
    candidates = sorted(p for p in Path(sys.argv[1]).glob("*.py") if p.name not in SKIPPED)
    print(sum(registers_tools(path) for path in candidates))


main()

"""Reads the migration steps of a task SDK wheel, as text, with `ast`.

Airflow declares what a schema version changed as classes whose instructions look like
`schema(Model).field("name").didnt_exist`, and lists those classes for each `Version(...)` of
its bundle. Nothing else occurs in the wheel that is read; anything else is refused, so that no
step is lost in silence.
"""

from __future__ import annotations

import ast

VERSIONS_FOLDER = "airflow/sdk/execution_time/schema/versions"
INSTRUCTIONS = "instructions_to_migrate_to_previous_version"


def migrations(read, definitions: dict) -> list[dict]:
    """One entry for each version that changes something, oldest first.

    `read` gives the text of a file of the wheel; `definitions` are those of its schema file.
    """
    bundle = ast.parse(read(f"{VERSIONS_FOLDER}/__init__.py"))
    changes_of = imported_from(bundle)
    found = []
    versions = [call for call in calls(bundle, "Version")]  # newest first, as the bundle demands
    for newer, older in zip(versions, versions[1:]):
        classes = [argument.id for argument in newer.args[1:]]
        modules = {changes_of[name] for name in classes}
        if len(modules) != 1:
            raise SystemExit(f"the changes of {newer.args[0].value} lie in {len(modules)} modules, not one")
        module = ast.parse(read(modules.pop().replace(".", "/") + ".py"))
        found.append({
            "version": newer.args[0].value,
            "previous": older.args[0].value,
            "changes": [change(module, name, read, definitions) for name in classes],
        })
    if calls(bundle, "Version")[-1].args[1:]:
        raise SystemExit("the oldest version has changes: there is no version before it")
    return found[::-1]


def change(module: ast.Module, name: str, read, definitions: dict) -> dict:
    body = next(node.body for node in module.body if isinstance(node, ast.ClassDef) and node.name == name)
    instructions = next(node.value for node in body if isinstance(node, ast.Assign) and node.targets[0].id == INSTRUCTIONS)
    imports = imported_from(module)
    steps = []
    for instruction in instructions.elts:
        model, field = did_not_exist(name, instruction)
        for definition in inheritors(model, imports[model], read, definitions):
            if field in definitions[definition]["properties"]:
                steps.append({"kind": "did-not-exist", "class": f"{imports[model]}.{model}", "definition": definition, "field": field})
    return {"name": name, "steps": steps}


def did_not_exist(name: str, node: ast.expr) -> tuple[str, str]:
    """The model and the field of `schema(Model).field("name").didnt_exist`."""
    match node:
        case ast.Attribute(
            attr="didnt_exist",
            value=ast.Call(
                args=[ast.Constant(value=str(field))],
                func=ast.Attribute(attr="field", value=ast.Call(func=ast.Name(id="schema"), args=[ast.Name(id=model)])),
            ),
        ):
            return model, field
    raise SystemExit(f"{name} has an instruction that scripts/schema/migration_steps.py does not know: {ast.unparse(node)}")


def inheritors(model: str, module: str, read, definitions: dict) -> list[str]:
    """Names of the schema file for the class itself and for those of comms.py that inherit from it."""
    comms = ast.parse(read("airflow/sdk/execution_time/comms.py"))
    names = [node.name for node in comms.body if isinstance(node, ast.ClassDef) and model in (base_name(base) for base in node.bases)]
    found = [name for name in [model, *names] if name in definitions]
    if not found:
        raise SystemExit(f"no definition of the schema file is a {model} of {module}")
    return found


def base_name(base: ast.expr) -> str | None:
    return base.id if isinstance(base, ast.Name) else None


def imported_from(module: ast.Module) -> dict[str, str]:
    """Imported name -> module, also for imports inside functions."""
    nodes = [node for node in ast.walk(module) if isinstance(node, ast.ImportFrom)]
    return {alias.name: node.module for node in nodes for alias in node.names}


def calls(module: ast.Module, name: str) -> list[ast.Call]:
    return [node for node in ast.walk(module) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name]

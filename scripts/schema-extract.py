#!/usr/bin/env python3
"""Writes schema/supervisor/*.json and schema/migrations.json from the published Airflow wheels.

    python3 scripts/schema-extract.py           write the files
    python3 scripts/schema-extract.py --check   exit 1 where a file differs

Reads the wheels as zip archives: Airflow is neither installed nor imported. Kept is
structure only (types, required, enums, defaults, formats, const, strictness); titles,
descriptions and other prose stay in the wheel. Which message goes in which direction is
not in Airflow's schema file: it is read from the unions ToTask and ToSupervisor of the
task SDK's comms.py and, for the Dag-parse channel, ToDagProcessor and ToManager of
airflow-core's processor.py, parsed as text with `ast`. So are the migration steps of the newest
wheel: see schema/migration_steps.py.

Wheels are kept in the ignored folder .peers/wheels; `--wheels DIR` names another one.
Needs Python 3.10 or newer and nothing beside it (pip to fetch a wheel that is missing).
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import json
import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts" / "schema"))

from migration_steps import VERSIONS_FOLDER, migrations  # noqa: E402

COMMAND = "python3 scripts/schema-extract.py"
SCHEMA_FILE = "airflow/sdk/execution_time/schema/schema.json"
COMMS_FILE = "airflow/sdk/execution_time/comms.py"
PROCESSOR_FILE = "airflow/dag_processing/processor.py"

# schema version -> the wheels it is read from, as (package, version, sha256 of the wheel)
SOURCES = {
    "2026-06-16": {
        "schema": (
            "apache-airflow-task-sdk",
            "1.3.2",
            "5ff196842b7bc203e13332592ab78ed82cfa1225368a16bb91bf9d5705c62293",
        ),
        "parse": (
            "apache-airflow-core",
            "3.3.2",
            "99258922bccec15be4700ff89f3c942b8acd93407e263c287ce863e671bb3c50",
        ),
    },
    "2026-10-30": {
        "schema": (
            "apache-airflow-task-sdk",
            "1.4.0b2",
            "621afa4e10c8cacdf33028d29ec7506d0c94c543e1f04a66ac77f9f079789f74",
        ),
        "parse": (
            "apache-airflow-core",
            "3.4.0b2",
            "3244cd958cef647aeaf6c5b6679598431c44e5ad7376d1eaec1d71a0d7593bb6",
        ),
    },
}

# Keywords that shape a value. Anything else in the wheel is either prose (dropped) or a
# keyword this script has not met before (refused, so that nothing is lost in silence).
STRUCTURE = {
    "$defs", "$ref", "additionalProperties", "anyOf", "const", "default", "discriminator", "enum",
    "exclusiveMinimum", "format", "items", "maxItems", "minItems", "minimum", "oneOf", "prefixItems",
    "properties", "required", "type",
}
PROSE = {"$schema", "api_version", "description", "title"}
# Keywords whose value maps names to schemas: the names are not keywords.
NAMED = {"$defs", "properties"}
# Keywords whose value is data and is kept as it is.
DATA = {"const", "default", "discriminator", "enum", "required"}


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--check", action="store_true", help="compare instead of writing")
    options.add_argument("--wheels", type=Path, default=ROOT / ".peers" / "wheels")
    arguments = options.parse_args()
    stale = []
    documents = {f"supervisor/{version}.json": extract(version, sources, arguments.wheels) for version, sources in SOURCES.items()}
    documents["migrations.json"] = extract_migrations(arguments.wheels)
    for name, document in documents.items():
        text = json.dumps(document, indent=1, ensure_ascii=False) + "\n"
        file = ROOT / "schema" / name
        if not arguments.check:
            file.write_text(text, encoding="utf-8")
            print(f"wrote {file.relative_to(ROOT)}", file=sys.stderr)
        elif not file.exists() or file.read_text(encoding="utf-8") != text:
            stale.append(str(file.relative_to(ROOT)))
    for name in stale:
        print(f"{name} differs from the wheels: run `{COMMAND}`", file=sys.stderr)
    return 1 if stale else 0


def extract(version: str, sources: dict, folder: Path) -> dict:
    with zipfile.ZipFile(wheel(folder, *sources["schema"])) as sdk:
        schema = json.loads(sdk.read(SCHEMA_FILE))
        comms = ast.parse(sdk.read(COMMS_FILE))
    with zipfile.ZipFile(wheel(folder, *sources["parse"])) as core:
        processor = ast.parse(core.read(PROCESSOR_FILE))
    if schema["api_version"] != version:
        raise SystemExit(f"{sources['schema'][0]} holds schema {schema['api_version']}, not {version}")
    channels = {
        "task": {
            "to-supervisor": union_members(comms, "ToSupervisor"),
            "to-task": union_members(comms, "ToTask"),
        },
        "dag-parse": {
            "to-supervisor": union_members(processor, "ToManager"),
            "to-task": union_members(processor, "ToDagProcessor"),
        },
    }
    definitions = {name: structure(each) for name, each in sorted(schema["$defs"].items())}
    for channel in channels.values():
        for names in channel.values():
            unknown = [name for name in names if name not in definitions]
            if unknown:
                raise SystemExit(f"{version}: no definition of {', '.join(unknown)}")
    return {
        "$schema": schema["$schema"],
        "origin": {
            "command": COMMAND,
            "schema": origin(*sources["schema"], [SCHEMA_FILE, COMMS_FILE]),
            "parse": origin(*sources["parse"], [PROCESSOR_FILE]),
        },
        "api_version": version,
        "channels": channels,
        "$defs": definitions,
    }


def extract_migrations(folder: Path) -> dict:
    """The steps between all known versions, as the newest wheel declares them."""
    *_, newest = SOURCES
    source = SOURCES[newest]["schema"]
    with zipfile.ZipFile(wheel(folder, *source)) as sdk:
        definitions = json.loads(sdk.read(SCHEMA_FILE))["$defs"]
        found = migrations(sdk.read, definitions)
    return {"origin": {"command": COMMAND, "steps": origin(*source, [VERSIONS_FOLDER, COMMS_FILE])}, "migrations": found}


def origin(package: str, version: str, sha256: str, files: list[str]) -> dict:
    return {"package": package, "version": version, "wheel": wheel_name(package, version), "sha256": sha256, "files": files}


def structure(node: object) -> object:
    """The node without prose. `properties` and `$defs` may hold *names* such as `title`."""
    if isinstance(node, list):
        return [structure(each) for each in node]
    if not isinstance(node, dict):
        return node
    kept = {}
    for keyword, value in node.items():
        if keyword in NAMED:
            kept[keyword] = {name: structure(each) for name, each in value.items()}
        elif keyword in DATA:
            kept[keyword] = value
        elif keyword in STRUCTURE:
            kept[keyword] = structure(value)
        elif keyword not in PROSE:
            raise SystemExit(f"unknown schema keyword {keyword!r}: decide in scripts/schema-extract.py what it is")
    return kept


def union_members(module: ast.Module, name: str) -> list[str]:
    """Sorted names of `X = Annotated[A | B, ...]`, through names of unions defined in the same module."""
    assigned = {}
    for node in module.body:
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            assigned[node.targets[0].id] = node.value
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
            assigned[node.target.id] = node.value

    def members(node: ast.expr) -> list[str]:
        if isinstance(node, ast.Name):
            return members(assigned[node.id]) if node.id in assigned else [node.id]
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            return members(node.left) + members(node.right)
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id == "Annotated":
            return members(node.slice.elts[0])
        raise SystemExit(f"{name} holds something that is no union of names: {ast.dump(node)[:80]}")

    if name not in assigned:
        raise SystemExit(f"{name} is not assigned at the top of its module")
    return sorted(set(members(assigned[name])))


def wheel_name(package: str, version: str) -> str:
    return f"{package.replace('-', '_')}-{version}-py3-none-any.whl"


def wheel(folder: Path, package: str, version: str, sha256: str) -> Path:
    """The wheel's path, fetched when it is not there; its digest must be the pinned one."""
    path = folder / wheel_name(package, version)
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run(
            [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:",
             "--disable-pip-version-check", "--dest", str(folder), f"{package}=={version}"],
            check=True, stdout=sys.stderr,
        )
    found = hashlib.sha256(path.read_bytes()).hexdigest()
    if found != sha256:
        raise SystemExit(f"{path.name} has sha256 {found}, expected {sha256}: delete it and run again")
    return path


if __name__ == "__main__":
    sys.exit(main())

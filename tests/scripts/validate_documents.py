#!/usr/bin/env python3
"""Validates JSON documents against their schemas in plans/schema with an independent validator.

Usage: validate_documents.py [FILE|FOLDER…]

Without files: every committed *.json and *.json.gz that says it is a graphplan document, a document inside
another one (a recording's "costs") too. With files: those, all of which must be graphplan documents; a
folder stands for the *.json files in it. Prints each violation and exits 1 if there is one, or if nothing
was validated. Needs python3-jsonschema.
"""
import gzip
import json
import pathlib
import sys

import jsonschema

PREFIX = "graphplan."
MOST_VIOLATIONS = 5
# Inputs of tests that are made to be warned about: they must not validate.
INVALID = ["tests/cli/inputs/costs_unknown_key.json"]


def load(path):
    data = path.read_bytes()
    return json.loads(gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data)


def load_validators(folder):
    """A validator for each kind; each schema is valid itself."""
    validators = {}
    for path in sorted(folder.glob("*.json")):
        schema = load(path)
        jsonschema.Draft202012Validator.check_schema(schema)
        validators[PREFIX + path.stem] = jsonschema.Draft202012Validator(schema)
    return validators


def documents_of(content):
    """The document itself, or those among its members, one level down."""
    if not isinstance(content, dict):
        return []
    if str(content.get("schema", "")).startswith(PREFIX):
        return [content]
    return [member for member in content.values()
            if isinstance(member, dict) and str(member.get("schema", "")).startswith(PREFIX)]


def violations(document, kind, validators):
    if kind not in validators:
        return [f"no schema for {kind}"]
    found = []
    for error in validators[kind].iter_errors(document):
        place = "/" + "/".join(str(step) for step in error.absolute_path)
        found.append(f"{place}: {error.message[:300]}")
        if len(found) == MOST_VIOLATIONS:
            break
    return found


def slackness(document, validators):
    """A schema that refuses nothing checks nothing: what it should refuse of a valid document, but doesn't."""
    kind = document["schema"]
    spoiled = [{key: value for key, value in document.items() if key != required}
               for required in validators[kind].schema["required"]]
    spoiled.append({**document, "unknown_key": 0})
    return [f"the schema accepts it with {sorted(one)}" for one in spoiled
            if not violations(one, kind, validators)]


def committed(root):
    paths = [path for folder in ("plans", "samples", "tests", "tools") for path in sorted((root / folder).rglob("*"))
             if path.name.endswith((".json", ".json.gz"))]
    left_out = [root / "plans" / "schema", root / "tests" / "data" / "fuzz"]
    return [path for path in paths if not any(folder in path.parents for folder in left_out)]


def named(arguments):
    paths = []
    for argument in map(pathlib.Path, arguments):
        paths += sorted(argument.rglob("*.json")) if argument.is_dir() else [argument]
    return paths


def main():
    root = pathlib.Path(__file__).resolve().parents[2]
    validators = load_validators(root / "plans" / "schema")
    invalid = [root / name for name in INVALID]
    explicit = len(sys.argv) > 1
    problems, validated = [], 0
    for path in named(sys.argv[1:]) if explicit else committed(root):
        try:
            documents = documents_of(load(path))
        except (ValueError, OSError) as error:
            problems.append(f"{path}: {error}")
            continue
        if explicit and not documents:
            problems.append(f"{path}: not a graphplan document")
        for document in documents:
            validated += 1
            found = violations(document, document["schema"], validators)
            if path in invalid:
                found = [] if found else ["validates, though it is listed as invalid"]
            if path.parent == root / "plans" / "examples" and not found:
                found = slackness(document, validators)
            problems += [f"{path}: {violation}" for violation in found]
    if validated == 0:
        problems.append("nothing was validated")
    print("\n".join(problems) or f"{validated} documents validate")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

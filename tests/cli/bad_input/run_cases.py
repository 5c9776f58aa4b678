#!/usr/bin/env python3
"""Runs every case of cases.json through the real program, with and without --json.

usage: run_cases.py PROGRAM [--produced FOLDER] [--only TEXT]

A case has `arguments`, the `exit` code and the `words` that the message must hold. It runs in a folder
with the documents of ../inputs/, changed as the case says: `edit` and `remove` by JSON pointer, `copy`,
`raw`, `bytes`, `cut`, `append`, `nested`, `sparse`, `gzip_zeros`, `gzip_cut`, `locked`, `unreadable`. `json`: false
marks commands without --json.
"""
import argparse
import gzip
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
NOBODY = 65534
SECONDS = 60
NO_GPU = {**os.environ, "CUDA_VISIBLE_DEVICES": ""}  # a machine without one, whatever the build


def locate(document, pointer):
    *parents, last = pointer.split("/")[1:]
    for part in parents:
        document = document[int(part) if isinstance(document, list) else part]
    return document, int(last) if isinstance(document, list) else last


def change_documents(case, folder):
    documents, tokens = {}, {}

    def load(name):
        if name not in documents:
            documents[name] = json.loads((folder / name).read_text())
        return documents[name]

    for name, edits in case.get("edit", {}).items():
        for pointer, value in edits.items():
            parent, last = locate(load(name), pointer)
            if isinstance(value, dict) and set(value) == {"raw"}:  # a token that Python would not write
                mark = f"@{len(tokens)}@"
                tokens[f'"{mark}"'] = value["raw"]
                value = mark
            parent[last] = value
    for name, pointers in case.get("remove", {}).items():
        for pointer in pointers:
            parent, last = locate(load(name), pointer)
            del parent[last]
    for name, (source, target) in case.get("copy", {}).items():
        parent, last = locate(load(name), source)
        copied = json.loads(json.dumps(parent[last]))
        locate(load(name), target)[0].append(copied)
    for name, document in documents.items():
        text = json.dumps(document, indent=1)
        for mark, token in tokens.items():
            text = text.replace(mark, token)
        (folder / name).write_text(text)


def change_bytes(case, folder):
    for name, text in case.get("raw", {}).items():
        (folder / name).write_text(text)
    for name, (old, new) in case.get("bytes", {}).items():
        data = (folder / name).read_bytes()
        new_bytes = new.encode().decode("unicode_escape").encode("latin-1")
        assert old.encode() in data, case["name"]
        (folder / name).write_bytes(data.replace(old.encode(), new_bytes))
    for name, size in case.get("cut", {}).items():
        (folder / name).write_bytes((folder / name).read_bytes()[:size])
    for name, text in case.get("append", {}).items():
        with open(folder / name, "a", encoding="utf-8") as file:
            file.write(text)
    for name, depth in case.get("nested", {}).items():
        (folder / name).write_text('{"schema":"graphplan.costs","schema_version":"1.0","pools":' + "[" * depth)
    for name, size in case.get("sparse", {}).items():
        with open(folder / name, "wb") as file:
            file.truncate(size)
    for name, size in case.get("gzip_zeros", {}).items():
        with gzip.open(folder / name, "wb", compresslevel=1) as file:
            for _ in range(size // 1_000_000):
                file.write(b" " * 1_000_000)
    if "gzip_cut" in case:
        data = gzip.compress((folder / "trace.json").read_bytes())
        (folder / case["gzip_cut"]).write_bytes(data[: len(data) // 2])


def prepare(case, folder):
    for source in (HERE.parent / "inputs").iterdir():
        shutil.copy(source, folder)
    change_documents(case, folder)
    change_bytes(case, folder)
    if "locked" in case:
        (folder / case["locked"]).mkdir(mode=0o555)
    if "unreadable" in case:
        (folder / case["unreadable"]).chmod(0)


def needs_plain_user(case):
    """Root may read and write everything; permissions show only to somebody else."""
    return os.geteuid() == 0 and ("locked" in case or "unreadable" in case)


def run(program, arguments, folder, plain_user):
    options = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if plain_user else {}
    return subprocess.run([program, *arguments], cwd=folder, capture_output=True, timeout=SECONDS, check=False,
                          stdin=subprocess.DEVNULL, env=NO_GPU, **options)


def check_message(case, message):
    problems = [f"the message lacks {word!r}" for word in case["words"] if word not in message]
    if len(message) >= 4000:
        problems.append(f"the message has {len(message)} characters")
    return problems


def check_plain(case, done):
    if done.returncode != case["exit"]:
        return [f"exit code {done.returncode}, expected {case['exit']}"]
    errors = [line for line in done.stderr.decode("utf-8", "strict").split("\ngraphplan: ") if "error:" in line]
    problems = ["stdout is not empty"] if done.stdout and "--json" not in case["arguments"] else []
    if len(errors) != 1:
        return problems + [f"{len(errors)} error messages"]
    return problems + check_message(case, errors[0])


def json_arguments(arguments):
    """The command line that asks for the document on stdout, and whether it fails for the same reason:
    beside another output file, --json is a usage error of its own."""
    arguments = list(arguments)
    if "out.json" in arguments and "--json" not in arguments:
        at = arguments.index("out.json")
        del arguments[at - 1 : at + 1]
    return [*arguments, "--json"], "-o" not in arguments


def check_json(case, done, same, produced):
    if same and done.returncode != case["exit"]:
        return [f"with --json: exit code {done.returncode}, expected {case['exit']}"]
    try:
        document = json.loads(done.stdout)
    except ValueError as failure:
        return [f"with --json: stdout is not one document: {failure}"]
    if produced:
        name = "".join(c if c.isalnum() else "_" for c in case["name"])
        (produced / f"bad_input_{name}.json").write_bytes(done.stdout)
    if document["schema"] != "graphplan.error":
        return [f"with --json: a {document['schema']} document"]
    problems = [] if document["exit_code"] == done.returncode else ["with --json: another exit_code"]
    if same:
        problems += check_message(case, document["message"])
    return problems


def contents(folder):
    return {path.relative_to(folder): path.stat().st_size for path in folder.rglob("*")}


def check_case(program, case, produced):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)
        prepare(case, folder)
        before = contents(folder)
        plain_user = needs_plain_user(case)
        problems = check_plain(case, run(program, case["arguments"], folder, plain_user))
        arguments, same = json_arguments(case["arguments"])
        if case.get("json", True):
            problems += check_json(case, run(program, arguments, folder, plain_user), same, produced)
        if contents(folder) != before:
            problems.append("it left or changed files: " + ", ".join(map(str, contents(folder).keys() ^ before.keys())))
        for path in folder.rglob("*"):
            path.chmod(0o755)
    return problems


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--produced", type=pathlib.Path)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    if options.produced:
        options.produced.mkdir(parents=True, exist_ok=True)
    cases = [case for case in json.loads((HERE / "cases.json").read_text()) if options.only in case["name"]]
    failed = 0
    for case in cases:
        try:
            problems = check_case(os.path.abspath(options.program), case, options.produced)
        except subprocess.TimeoutExpired:
            problems = [f"it ran for more than {SECONDS} s"]
        for problem in problems:
            print(f"{case['name']}: {problem}")
        failed += bool(problems)
    print(f"{len(cases)} cases, {failed} failed")
    return 1 if failed or len(cases) == 0 else 0


if __name__ == "__main__":
    sys.exit(main())

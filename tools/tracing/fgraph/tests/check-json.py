#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
#
# check-json.py PAGE FILE...: checks files that fgraph why --json wrote against the JSON
# Schema in its manual page.  Needs the Debian package python3-jsonschema.

import json
import re
import sys

import jsonschema


def read_schema(page):
    """The literal block of the page that begins with "{" and contains "$schema"."""
    with open(page, encoding='utf-8') as file:
        text = file.read()
    blocks = re.findall(r'^  {$.*?^  }$', text, re.DOTALL | re.MULTILINE)
    schemas = [block for block in blocks if '"$schema"' in block]
    if len(schemas) != 1:
        sys.exit(f'error: {page}: {len(schemas)} schemas in place of one')
    schema = json.loads(schemas[0], object_pairs_hook=make_object)
    jsonschema.Draft202012Validator.check_schema(schema)
    compare_members(page, text, schema)
    return schema


def compare_members(page, text, schema):
    """The text of the page describes the members that its schema knows, and no others."""
    described = set(re.findall(r'^\*\*(\w+)\*\* \(', text, re.MULTILINE))
    objects = [schema, *schema['$defs'].values()]
    known = {name for item in objects for name in item.get('properties', ())}
    if described != known:
        names = ', '.join(sorted(described ^ known))
        sys.exit(f'error: {page}: in the text or in the schema alone: {names}')


def make_object(pairs):
    """An object. A name that occurs twice is a mistake."""
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError(f'a name occurs twice in {[name for name, _ in pairs]}')
    return members


def find_mistakes(validator, name):
    try:
        with open(name, encoding='utf-8') as file:
            report = json.load(file, object_pairs_hook=make_object)
    except (OSError, ValueError) as error:
        return [str(error)]
    return [f'{mistake.json_path}: {mistake.message:.200}'
            for mistake in validator.iter_errors(report)]


def main():
    if len(sys.argv) < 3:
        sys.exit('usage: check-json.py PAGE FILE...')
    validator = jsonschema.Draft202012Validator(read_schema(sys.argv[1]))
    status = 0
    for name in sys.argv[2:]:
        for mistake in find_mistakes(validator, name):
            print(f'error: {name}: {mistake}', file=sys.stderr)
            status = 1
    sys.exit(status)


main()

#!/usr/bin/env python3
"""What the real kombu makes of values and of our bytes; driven by serializers.test.ts.

    kombu_values.py json|yaml|msgpack  < NDJSON  > NDJSON

A line in is {"value": N, "hex": our bytes}; a line out is {"hex": kombu's bytes of N, "value": N of
what kombu reads from our bytes}, or {"error": text}. The form N is told in neutral-values.ts.
"""
import datetime as dt
import decimal
import json
import struct
import sys
import uuid

from kombu.serialization import dumps, loads


def build(n):
    if n is None or isinstance(n, (bool, str)):
        return n
    (kind, x), = n.items()
    if kind == 'i':
        return int(x)
    if kind == 'f':
        return struct.unpack('>d', bytes.fromhex(x))[0]
    if kind == 'l':
        return [build(y) for y in x]
    if kind == 'd':
        return {build(k): build(v) for k, v in x}
    if kind == 'set':
        return {build(y) for y in x}
    if kind == 'b':
        return bytes.fromhex(x)
    return {'dt': dt.datetime.fromisoformat, 'date': dt.date.fromisoformat,
            'time': dt.time.fromisoformat, 'dec': decimal.Decimal, 'uuid': uuid.UUID}[kind](x)


def neutral(v):
    if v is None or isinstance(v, (bool, str)):
        return v
    if isinstance(v, int):
        return {'i': str(v)}
    if isinstance(v, float):
        return {'f': struct.pack('>d', v if v == v else float('nan')).hex()}
    if isinstance(v, (list, tuple)):
        return {'l': [neutral(x) for x in v]}
    if isinstance(v, dict):
        return {'d': [[neutral(k), neutral(x)] for k, x in v.items()]}
    if isinstance(v, (set, frozenset)):
        return {'set': [neutral(x) for x in v]}
    if isinstance(v, bytes):
        return {'b': v.hex()}
    if isinstance(v, dt.datetime):
        return {'dt': v.isoformat()}
    if isinstance(v, dt.date):
        return {'date': v.isoformat()}
    if isinstance(v, dt.time):
        return {'time': v.isoformat()}
    if isinstance(v, decimal.Decimal):
        return {'dec': str(v)}
    if isinstance(v, uuid.UUID):
        return {'uuid': v.hex}
    raise TypeError(type(v))


def answer(line, serializer):
    given = json.loads(line)
    content_type, encoding, payload = dumps(build(given['value']), serializer)
    if isinstance(payload, str):
        payload = payload.encode()
    read = loads(bytes.fromhex(given['hex']), content_type, encoding, accept=[content_type])
    return {'hex': payload.hex(), 'value': neutral(read)}


def main():
    for line in sys.stdin:
        try:
            result = answer(line, sys.argv[1])
        except Exception as error:  # told to the test, which decides
            result = {'error': f'{type(error).__name__}: {error}'}
        print(json.dumps(result))


if __name__ == '__main__':
    main()

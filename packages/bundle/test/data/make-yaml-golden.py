#!/usr/bin/env python3
"""Records how PyYAML's SafeLoader, which stock Airflow reads metadata with, reads many texts.

    python make-yaml-golden.py yaml-scalars.json yaml-documents.json     # remakes the golden data
    python make-yaml-golden.py --fuzz 20000 --seed 1 OUT.json             # random documents, to look for differences

Made with PyYAML 6.0.4; needs nothing else. An answer is {"ok": typed value} or {"error": class of the
exception}; typed values: null, true, "text", {"int": "12"}, {"float": repr}, {"date": iso},
{"datetime": iso, "aware": bool}, {"bytes": hex}, {"set": [...]}, {"surrogates": [code units]},
lists, {"map": [[key, value], ...]}.

Left out on purpose: `!!str {=: text}`, which PyYAML reads as the text and we refuse, and lists of maps
under `<<` that share keys, where PyYAML 6.0.3 and 6.0.4 differ (we let the first win, as the YAML type
says and 6.0.3 does).
"""
import argparse, datetime, json, random, sys
import yaml


def typed(v):
    if v is None or isinstance(v, bool): return v
    if isinstance(v, str):
        if any(0xD800 <= ord(c) < 0xE000 for c in v): return {"surrogates": [ord(c) for c in v]}
        return v
    if isinstance(v, int): return {"int": str(v)}
    if isinstance(v, float): return {"float": repr(v)}
    if isinstance(v, datetime.datetime): return {"datetime": v.isoformat(), "aware": v.tzinfo is not None}
    if isinstance(v, datetime.date): return {"date": v.isoformat()}
    if isinstance(v, bytes): return {"bytes": v.hex()}
    if isinstance(v, set): return {"set": sorted((typed(i) for i in v), key=json.dumps)}
    if isinstance(v, (list, tuple)): return [typed(i) for i in v]
    if isinstance(v, dict): return {"map": [[typed(k), typed(x)] for k, x in v.items()]}
    raise TypeError(type(v))


def answer(text):
    try: return {"ok": typed(yaml.safe_load(text))}
    except Exception as e: return {"error": type(e).__name__}


SCALARS = """
y n Y N yes Yes YES yEs no No NO on On ON oN off Off OFF true True TRUE tRUE false False FALSE
~ null Null NULL nULL nil None none
0 -0 +0 00 1 -1 +1 12 012 010 -010 +010 08 09 0o10 0O10 0b101 0B101 -0b11 +0b1 0b2 0b 0b_ 0b1_0 0x1F 0X1f -0xff +0xA 0x 0x_ 0xg 0x_f
1_000 1__0 _1 1_ 0_ 0_7 0_8 9007199254740991 9007199254740992 -9007199254740993 123456789012345678901234567890
1:30 1:60 0:30 01:30 1:2:3 -1:30 +1:30 190:20:30 1:30. 1:30.5 190:20:30.15 -1:30.5 1:2: :30 1:030
1.0 1. .5 -.5 +.5 -1.5 +1.5 1.5e3 1.5e+3 1.5E-3 1e3 1e+3 1E3 -1e3 1.e+3 .5e+3 .5e3 1.5e 1.5e+ 1_0.5 1_0.5_0 1.2.3 1..2 00.5 08.5 -08.5 0.1 100000000000000000000000.0 1.0e+400 5.0e-324 0.1e-400
.inf .Inf .INF .iNF -.inf +.inf +.INF -.Inf .nan .NaN .NAN .Nan -.nan +.nan inf nan Infinity NaN . .. ... ._5 ._ -. +. - -- --- + ++
2026-06-16 2026-6-16 2026-06-6 2026-13-01 2026-02-30 2024-02-29 2025-02-29 0000-01-01 0001-01-01 9999-12-31 20260616 2026-06 2026-06-16T 2026-06-16T01:02:03 2026-06-16t1:02:03 2026-06-16T01:02:03Z 2026-06-16T01:02:03z 2026-06-16T01:02:03+02:00 2026-06-16T01:02:03-0230 2026-06-16T01:02:03+2 2026-06-16T01:02:03-02 2026-06-16T01:02:03+23:59 2026-06-16T01:02:03+24:00 2026-06-16T01:02:03-00:00 2026-06-16T01:02:03.123456 2026-06-16T01:02:03.1 2026-06-16T01:02:03.123456789Z 2026-06-16T01:02:03. 2026-06-16T24:00:00 2026-06-16T23:60:00 2026-06-16T23:59:60 2026-6-1T1:02:03 2026-06-16T01:02 12026-06-16 -2026-06-16 2026-06-16x v2026-06-16 1.0.0 1.2.3-rc1
= << <<: == <<< ? : - a-b a_b a.b a/b a:b a#b @a `a %a &a *a !a |a >a ,a a,b [a ]a {a }a a]b a}b "a 'a ?a :a -a ?1 :1 -1a
abc Dag_1 dag-1 dag.1 ünï 漢字 😀 𝒜 a\u00a0b \ufeffa a\ufeffb \u00ad
""".split()
SPACED = ["2026-06-16 01:02:03", "2026-06-16  1:02:03 +2", "2026-06-16 01:02:03 Z", "2026-06-16 01:02:03.5 -05:30", "2026-06-16 01:02", "yes no", "a b", "a  b", "1 2", "a #b", "a # b", "a\tb", "a: b", "a :b", "a:", "- a", "-  - a", "? a", "a - b", "", " ", "#", "!!str 12", "!!str yes", "!!str", "!!int 12", '!!int "12"', "!!int 012", "!!int 0b11", "!!int abc", "!!int 1.5", "!!int ''", "!!float 1", "!!float 1e3", "!!float '1.5'", "!!float abc", "!!float .inf", "!!bool yes", "!!bool 'no'", "!!bool maybe", "!!bool y", "!!null x", "!!null ''", "!!timestamp 2026-06-16", "!!timestamp '2026-6-1'", "!!timestamp abc", "!!binary aGVsbG8=", "!!binary aGVsbG8", "!!binary '*'", "!!set {a, b}", "!!set {1, true}", "!!set [a]", "!!omap [a: 1, b: 2]", "!!omap [a, b]", "!!pairs [a: 1, a: 2]", "!!pairs {a: 1}", "!!map {a: 1}", "!!map [a]", "!!seq [a]", "!!seq {a: 1}", "!!str [a]", "!!str {a: 1}", "!!python/object:os.system {}", "!!python/name:os.system", "!!python/tuple [1]", "!foo a", "!foo {a: 1}", "! 12", "! '12'", "! yes", "! {a: 1}", "!<tag:yaml.org,2002:str> 12", "!<tag:yaml.org,2002:foo> 12", "!!value =", "!!merge <<", "!!yaml '!'", "&a 12", "&a yes", "&a !!str 12", "!!str &a 12", "'12'", '"12"', "'yes'", '"yes"', "'it''s'", "''", '""', '"a\\nb"', '"\\t\\b\\f\\r\\0\\a\\v\\e\\N\\_\\L\\P\\/\\\\\\""', '"\\x41\\u00e9\\U0001F600"', '"\\ud83d\\ude00"', '"\\ud83d"', '"\\\\ud83d"', '"\\U0000d83d"', '"\\U00110000"', '"\\q"', "\"\\'\"", '"\\x4"', '"\\u12"', "'\\n'", "'a' b", '"a" b', "'a'b", "'a' #b", "'a'#b", "'2026-06-16'", "[]", "{}", "[1, yes, 1e3]", "[1, 2", "{a: 1", "[a]b", "[a] b", "[,]", "[a,]", "[a,,b]", "{a}", "{a, b: c}", "{a:1}", "{a: 1,}", "{,}", '{"a":1}', "{'a':yes}", '{"a" : 1}', "{a: b: c}", "[a: b]", "[a: b, c]", "[? a : b]", "{? a : b}", "{[a]: b}", "{{a: b}: c}", "{1: a, true: b, 1.0: c}", "{0: a, false: b}", "{null: a, ~: b}", "{2026-06-16: a}", "{1: a, '1': b}", "{.nan: a, .nan: b}", "{a: 1, a: 2}", "{=: 1}", "{<<: {a: 1}}", "{<<: {a: 1}, a: 2}", "{a: 2, <<: {a: 1, b: 3}}", "{<<: [{a: 1}, {a: 2, b: 3}]}", "{<<: a}", "{<<: [a]}", "{'<<': {a: 1}}", "{!!merge a: {b: 1}}", "{<<: {<<: {a: 1}}}", "<<", "{a: <<}", "[<<]", "{a: =}", "*a", "[&a 1, *a]", "[&a 1, &a 2, *a]", "[*a, &a 1]", "&a [*a]", "{&k a: 1, b: *k}", "{&k a: 1, *k : 2}", "[&a [1], {*a : 2}]", "[&a-b 1, *a-b]", "[&a.b 1, *a.b]", "[&é 1, *é]", "|", ">", "@", "`", "%", "[a\tb]", "[a,\tb]", "{a:\tb}", "[\ta]", "'a\tb'", '"a\tb"', "a\t#b", "[a\t]", "a #\tb", "!!float 1:30", "[1:30]", "[-1]", "[-]", "[- a]", "[?]", "[?a]", "[:a]", "[a?]", "[a:]", "[a#b]", "[a #b\n]", "{a: [b, {c: d}]}", "[[[[]]]]", "[\"a\"\"b\"]", "[a b, c]", "\"a\": b", "{a: \"b\" c}", "[a: b: c]", "-", "--- a", "'---'", "[a]: b", "{a: 1}: b", "!!str : a", "&a : b", "[ !!str , a]", "{a: !!str , b: !!str }", "[!!int 1,2]", "[!a]", "['a','b']", "[ 'a' : b ]", "[ 'a':b ]", "[a:b]", "{'a':1,\"b\":2,c: 3}", "{a:[1]}", "{\"a\":[1],\"b\":{\"c\":null}}"]

DOCUMENTS = ["", " ", "\n", "# c", "# c\n", "---", "---\n", "...", "--- ~", "---\n...\n", "a: 1", "a: 1\n", "---\na: 1\n", "---\na: 1\n...\n", "a: 1\n---\nb: 2\n", "a: 1\n---\n", "a: 1\n...\n", "a: 1\n...\n# c\n", "a: 1\n...\nb: 2\n", "--- a: 1\n", "--- {a: 1}\n", "---\n---\na: 1\n", "%YAML 1.1\n---\na: yes\n", "%YAML 1.2\n---\na: yes\n", "%YAML 2.0\n---\na: 1\n", "%YAML 1.1\na: 1\n", "%TAG !e! tag:yaml.org,2002:\n---\na: !e!str 12\n", "%TAG ! tag:yaml.org,2002:\n---\na: !str 12\n", "%FOO bar\n---\na: 1\n", "%YAML 1.1\n%YAML 1.1\n---\na: 1\n", "\ufeffa: 1\n", "\ufeff---\na: 1\n", " a: 1\n", "  a: 1\n  b: 2\n", "  a: 1\n b: 2\n", "a: 1\n b: 2\n", "a:\n b: 1\n  c: 2\n", "a:\n  b: 1\n c: 2\n", "a:\n- 1\n- 2\nb: 3\n", "a:\n  - 1\n  - 2\nb: 3\n", "a:\n  - 1\n - 2\n", "a:\n- 1\n - 2\n", "- a\n- b: 1\n  c: 2\n-\n  - d\n- - e\n  - f\n", "-\n- \n- ~\n", "a:\n\nb:\n", "a:\nb:\n  \n", "a: |\n  x\n  y\nb: 1\n", "a: |-\n  x\n\nb: 1\n", "a: |+\n  x\n\nb: 1\n", "a: >\n  x\n  y\n\n  z\n", "a: >-\n  x\n    y\n  z\n", "a: |2\n    x\n", "a: |1-\n  x\n", "a: |0\n  x\n", "a: | # c\n  x\n", "a: |#c\n  x\n", "a: |\n x\n  y\n z\n", "a: |\n\n\n  x\n", "a: |\n   \n  x\n", "a: |\n  x\n\ty\n", "a: |\n  x\ty\n", "a: |\nb: 1\n", "a: |\n", "a: >\n", "- |\n  x\n- >\n  y\n", "a: x\n  y\n", "a: x\n\n  y\n", "a: x\n  y: z\n", "a: x\n# c\n  y\n", "a: x # c\n  y\n", "a: 'x\n  y'\n", "a: \"x\n  y\"\n", "a: \"x\n\n  y\"\n", "a: \"x\\\n  y\"\n", "a: \"x\ny\"\n", "a: \"x\n---\ny\"\n", "a: 'x\n...\ny'\n", "\"a\n b\": 1\n", "a\n b: 1\n", "? a\n: 1\n", "? a\n", "? a\n? b\n: 2\n", "? [a]\n: 1\n", "? - a\n: 1\n", "? |\n  a\n: 1\n", ": 1\n", "a: 1\na: 2\n", "on: 1\ntrue: 2\n1: 3\n", "yes: {tasks: []}\n", "2026-06-16: 1\n", "1.0: a\n1: b\n", "~: a\n", "1_0: a\n", "a: [1,\n2]\n", "a: [1,\n  2]\n", "a: {\nb: 1\n}\n", "a: {\n  b: 1\n  }\n", "a: {b: 1\n}\n", "a: [\n]\n", "a:\n  [\n  1\n  ]\n", "a: [1\n,2]\n", "a: [x\n y]\n", "a: [\"x\n y\"]\n", "a: {b\n: 1}\n", "a: {\"b\"\n: 1}\n", "a: {b:\n 1}\n", "a: {b: 1, # c\n c: 2}\n", "a: [1,#c\n2]\n", "[a]\n", "{a: 1}\nb: 2\n", "{a: 1} # c\n", "{a: 1}\n# */ //\n", "{a: 1}x\n", "{\"a\": 1}\n{\"b\": 2}\n", "a: b: c\n", "a: - b\n", "- a: b\n c: d\n", "a:b\n", "a :b\n", "a : b\n", "'a':b\n", "'a' : b\n", "\"a\":\n  b: 1\n", "a: 'b'c: d\n", "a: \"b\"\n  c\n", "a: 'b'\n 'c'\n", "a:\n  'b'\n", "a:\n  b\n", "a:\n\n  # c\n  b: 1\n", "a: # c\n  b: 1\n", "a:#c\n", "a: 1#c\n", "a: 1 #c\n", "a: '1'#c\n", "a: [1]#c\n", "#a: 1\nb: 1\n", "a:\t1\n", "a: \t1\n", "a: 1\t\n", "a: 1\t# c\n", "a:\n\tb: 1\n", "a:\n  b: 1\n\t\nc: 1\n", "a: 1\n\t# c\nb: 2\n", "-\ta\n", "- a\t\n", "\ta: 1\n", "a: [\t1]\n", "a: {b: 1,\n\tc: 2}\n", "a: {\n\t}\n", "a: x\n\ty\n", "a: 'x\n\ty'\n", "a: \"x\t\n\ty\"\n", "# a\tb\na: 1\n", "a\t: 1\n", "? a\n:\tb\n", "a: !!str\tb\n", "a: &x\tb\n", "a: 1\r\nb: 2\r\n", "a: 1\rb: 2\r", "a: 'x\r\n y'\r\n", "a: |\r\n  x\r\n", "a: 1\u0085b: 2\n", "a: \"x\u0085y\"\n", "a: x # c\u0085b: 2\n", "a: \"x\u2028y\"\n", "a: x\u2028\n", "a: \x00\n", "a: \x07\n", "a: \x7f\n", "a: \u0080\n", "a: \ufffe\n", "a: \ufeff\n", "a: \U0001F600\n", "a: &x\n  b: 1\nc: *x\n", "a: &x {b: 1}\nc:\n  <<: *x\n  d: 2\n", "a: &x {b: 1}\nc: &y {d: 2}\ne:\n  <<: [*x, *y]\n  b: 3\n", "a: &x {b: 1}\nc: &y\n  <<: *x\ne:\n  <<: *y\n", "a: &x 1\nb: &x 2\nc: *x\n", "a: *x\n", "a: &x\nb: *x\n", "a: *x\nb: &x 1\n", "&x a: 1\nb: *x\n", "&x {a: 1}\n", "&x\na: 1\n", "--- &x\na: 1\n", "a: &x&y 1\n", "a: &x !!str &y 1\n", "a: !!str !!int 1\n", "a: & 1\n", "a: * \n", "*x : 1\n", "a: *x b\n", "a: &x *y\n", "!!map\na: 1\n", "!!map {a: 1}\n", "!!set\n? a\n? b\n", "!!omap\n- a: 1\n- b: 2\n", "a: !!binary |\n  aGVs\n  bG8=\n", "!!str a: 1\n", "!!int \"1\": a\n", "!foo\na: 1\n", "a: !\n", "a: !<x> b\n", "a: !x!y b\n", "a: !!\n", "a: %b\n", "a: @b\n", "a: `b\n", "a: ,b\n", "a: ]b\n", "a: }b\n", "a: ?b\n", "a: :b\n", "a: -b\n", "a: ?\n", "a: :\n", "a: -\n", "a: ? b\n", "a: : b\n", "a: | x\n", "a: >x\n", "a: b\nc\n", "a\n", "'a'\n", "- a\nb: 1\n", "a: 1\n- b\n", "a: [b, c\nd: 1\n", "a: {b, c\nd: 1\n", "a: 'b\n", "a: \"b\n", "a: [}\n", "a: {]\n", "a: ]\n", "a: ''''\n", "a: '\n'\n", "a: \"\n\"\n", "a: \"\\\n\"\n", "a: \"x  \n  y\"\n", "x" * 1100 + ": 1\n", '"' + "x" * 1100 + '": 1\n', "{" + "x" * 1100 + ": 1}\n", '{"' + "x" * 1100 + '": 1}\n', "a:\n" + "  - b\n" * 30, "? " + "x" * 1100 + "\n: 1\n", "a: " + "[" * 40 + "]" * 40 + "\n"]

SEEDS = DOCUMENTS + ["k: %s\n" % s for s in SPACED] + [
    "airflow_bundle_metadata_version: \"1.0\"\nsdk:\n  language: go\n  version: 0.1.0\n  supervisor_schema_version: \"2026-06-16\"\nsource: main.go\ndags:\n  d1:\n    tasks:\n    - a\n    - b\n  d2: {tasks: [x, 'y']}\n",
    "sdk: {supervisor_schema_version: '2026-06-16'}\ndags:\n  d1:\n    tasks: []\n  on:\n    tasks:\n      - 1\n      - yes\n",
    json.dumps({"sdk": {"supervisor_schema_version": "2026-06-16"}, "dags": {"d1": {"tasks": ["t"]}, "on": {"tasks": []}}, "n": [1, 1.5, 1e30, -0.5, None, True]}),
    json.dumps({"sdk": {"supervisor_schema_version": "2026-06-16"}, "dags": {"d1": {"tasks": ["t"]}}}, indent=2)]
PIECES = [" ", "  ", "\n", "\n  ", "\t", ":", ": ", "-", "- ", "?", "? ", "#", " #", ",", "[", "]", "{", "}", "'", '"', "\\", "|", ">", "&a ", "*a", "!", "!!str ", "!!int ", "<<: ", "~", "yes", "1", "1e3", "0x1", "2026-06-16", "a", "b", ".", "é", "=", "%", "@", "---\n", "...\n", "\r\n", "_", "\\u0041", "\\/"]


def fuzz(count, seed):
    r = random.Random(seed)
    for _ in range(count):
        text = r.choice(SEEDS)
        if len(text) > 600: text = r.choice(SEEDS[:40])
        for _ in range(r.randint(1, 4)):
            at = r.randint(0, len(text))
            op = r.random()
            if op < 0.5: text = text[:at] + r.choice(PIECES) + text[at:]
            elif op < 0.75: text = text[:at] + text[at + r.randint(1, 3):]
            elif op < 0.9:
                lines = text.split("\n"); i = r.randrange(len(lines)); lines.insert(r.randint(0, len(lines)), lines[i]); text = "\n".join(lines)
            else:
                other = r.choice(SEEDS)[:200]; text = text[:at] + other[r.randint(0, len(other)):] + text[at:]
        yield text


def write(path, texts):
    rows = [{"text": t, **answer(t)} for t in dict.fromkeys(texts)]
    with open(path, "w", encoding="ascii") as f:
        f.write("[\n" + ",\n".join(json.dumps(r) for r in rows) + "\n]\n")
    print(path, len(rows), "texts, PyYAML", yaml.__version__, file=sys.stderr)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("out", nargs="+"); p.add_argument("--fuzz", type=int); p.add_argument("--seed", type=int, default=1)
    a = p.parse_args()
    if a.fuzz: return write(a.out[0], fuzz(a.fuzz, a.seed))
    scalars = [s.encode().decode("unicode_escape") if s.startswith("\\u") or "\\u" in s else s for s in SCALARS]
    plain = scalars + SPACED
    write(a.out[0], ["k: %s\n" % s for s in plain] + ["k: [%s]\n" % s for s in plain if s] + ["%s: v\n" % s for s in scalars] + ["{%s: v}\n" % s for s in scalars])
    write(a.out[1], DOCUMENTS)


if __name__ == "__main__":
    main()

/** Sources and what becomes of them. */
export const changedSources: readonly (readonly [before: string, after: string])[] = [
  ["Op(retry_exponential_backoff=True)", "Op(retry_exponential_backoff=2.0)"],
  ["Op(retry_exponential_backoff = False , x=1)", "Op(retry_exponential_backoff = 0 , x=1)"],
  [
    "a.b.Op(retry_exponential_backoff=(\n  True # x\n))",
    "a.b.Op(retry_exponential_backoff=(\n  2.0 # x\n))",
  ],
  [
    "@task(retry_exponential_backoff=True)\ndef f(): ...",
    "@task(retry_exponential_backoff=2.0)\ndef f(): ...",
  ],
  [
    "@task.bash(retry_exponential_backoff=False)\nasync def f(): ...",
    "@task.bash(retry_exponential_backoff=0)\nasync def f(): ...",
  ],
  [
    "Op.partial(retry_exponential_backoff=True).expand(x=[True])",
    "Op.partial(retry_exponential_backoff=2.0).expand(x=[True])",
  ],
  ["f.override(retry_exponential_backoff=True)()", "f.override(retry_exponential_backoff=2.0)()"],
  [
    "functools.partial(Op, retry_exponential_backoff=True)",
    "functools.partial(Op, retry_exponential_backoff=2.0)",
  ],
  [
    "d = {'retry_exponential_backoff': True, 'depends_on_past': True}",
    "d = {'retry_exponential_backoff': 2.0, 'depends_on_past': True}",
  ],
  [
    "DAG('x', default_args=dict(retry_exponential_backoff=False))",
    "DAG('x', default_args=dict(retry_exponential_backoff=0))",
  ],
  ["dict([('retry_exponential_backoff', True)])", "dict([('retry_exponential_backoff', 2.0)])"],
  [
    'Op(**{**base, "retry_exponential_backoff": True})',
    'Op(**{**base, "retry_exponential_backoff": 2.0})',
  ],
  [
    "default_args['retry_exponential_backoff'] = True",
    "default_args['retry_exponential_backoff'] = 2.0",
  ],
  [
    "args.setdefault('retry_exponential_backoff', True)",
    "args.setdefault('retry_exponential_backoff', 2.0)",
  ],
  ["op.retry_exponential_backoff = False", "op.retry_exponential_backoff = 0"],
  [
    "setattr(op, 'retry_exponential_backoff', True)",
    "setattr(op, 'retry_exponential_backoff', 2.0)",
  ],
  [
    "d.update([('retry_exponential_backoff', True)])\nd.update(retry_exponential_backoff=True)",
    "d.update([('retry_exponential_backoff', 2.0)])\nd.update(retry_exponential_backoff=2.0)",
  ],
  ["d = {'retry_' 'exponential_backoff': True}", "d = {'retry_' 'exponential_backoff': 2.0}"],
  ["Op(retry_exponential_backo\ufb00=True)", "Op(retry_exponential_backo\ufb00=2.0)"], // one name to Python
  [
    "a.retry_exponential_backoff = b['retry_exponential_backoff'] = True",
    "a.retry_exponential_backoff = b['retry_exponential_backoff'] = 2.0",
  ],
  [
    "B = True\nOp(retry_exponential_backoff=B)\nOp2(retry_exponential_backoff=B)",
    "B = 2.0\nOp(retry_exponential_backoff=B)\nOp2(retry_exponential_backoff=B)",
  ],
  [
    "x = {True: Op(retry_exponential_backoff=True)}; y = True",
    "x = {True: Op(retry_exponential_backoff=2.0)}; y = True",
  ],
  [
    "if True:\n\tOp(retry_exponential_backoff=True,retries=True)",
    "if True:\n\tOp(retry_exponential_backoff=2.0,retries=True)",
  ],
  [
    "class C(Op):\n  def f(self): return g(retry_exponential_backoff=True)",
    "class C(Op):\n  def f(self): return g(retry_exponential_backoff=2.0)",
  ],
];

/** Sources that stay as they are: the line that is told and why, or nothing to tell. */
export const undecidedSources: readonly (readonly [source: string, line?: number, why?: RegExp])[] =
  [
    ["\nOp(retry_exponential_backoff=flag)", 2, /no constant of this file/],
    ["from c import B\nOp(retry_exponential_backoff=B)", 2, /no constant of this file/],
    ["B = True\nB = False\nOp(retry_exponential_backoff=B)", 3, /no constant of this file/],
    ["if x:\n  B = True\nOp(retry_exponential_backoff=B)", 3, /no constant of this file/],
    ["B = True\ndef f(B): ...\nOp(retry_exponential_backoff=B)", 3, /no constant of this file/],
    ["B = True\nfrom x import *\nOp(retry_exponential_backoff=B)", 3, /no constant of this file/],
    ["B = True\nif B: pass\nOp(retry_exponential_backoff=B)", 3, /something else in line 2/],
    ["B = True\n__all__ = ['B']\nOp(retry_exponential_backoff=B)", 3, /line 2, perhaps exported/],
    ["B: bool = True\nOp(retry_exponential_backoff=B)", 2, /annotated/],
    ["B = x()\nOp(retry_exponential_backoff=B)", 2, /holds an expression/],
    ["Op(retry_exponential_backoff=True if x else False)", 1, /conditional/],
    ["Op(retry_exponential_backoff=not x)", 1, /negation/],
    ["Op(retry_exponential_backoff=x == 1)", 1, /comparison/],
    ["Op(retry_exponential_backoff=x and True)", 1, /logical/],
    ["Op(retry_exponential_backoff=Variable.get('x', True))", 1, /a call/],
    ["Op(retry_exponential_backoff=config['x'])", 1, /an element/],
    ["Op(retry_exponential_backoff=config.x)", 1, /an attribute/],
    ["f'{Op(retry_exponential_backoff=True)}'", 1, /f-string/],
    ["def f(*, retry_exponential_backoff=True): ...", 1, /default of a parameter/],
    [
      "def f(retry_exponential_backoff): ...\nf(retry_exponential_backoff=True)",
      2,
      /a function of this file/,
    ],
    ["a.retry_exponential_backoff = b = True", 1, /something else too/],
    ["a.retry_exponential_backoff, b = True, 1", 1, /not written beside it/],
    ["a.retry_exponential_backoff |= True", 1, /not written beside it/],
    ["class A(Op):\n  retry_exponential_backoff = True", 2, /attribute of a class/],
    ["if a.retry_exponential_backoff is True: pass", 1, /neither True nor False/],
    ["assert a['retry_exponential_backoff'] == False", 1, /neither True nor False/],
    ["for pair in [('retry_exponential_backoff', True)]: f(pair)", 1, /made of the pair/],
    [
      "B = True\ndef f(retry_exponential_backoff=B): ...\nOp(x=2)\nf(x=1)",
      2,
      /used for something else in line 2 too/,
    ],
    ["for name in ('retry_exponential_backoff', 'retries'): getattr(a, name)"],
    ["Op(retry_exponential_backoff=2.0 if x else 0)"],
    ["Op(retry_exponential_backoff=-1)"],
    ["Op(retry_exponential_backoff=None)"],
    ["Op(retry_exponential_backoff=float(x))"],
    ["B = 3.5\nOp(retry_exponential_backoff=B)"],
    [
      "Op(depends_on_past=True)\nx = 'retry_exponential_backoff=True'  # retry_exponential_backoff=True",
    ],
    ["retry_exponential_backoff = True\nprint(retry_exponential_backoff)"],
  ];

const call = (value: string, rest = "") => `Op(retry_exponential_backoff=${value}${rest})`;

/** Bytes before and after. */
export const encodedSources: readonly (readonly [before: Buffer, after: Buffer])[] = [
  both((value) => Buffer.from(`\ufeffx = "é"; ${call(value)}\r\n`)),
  both((value) =>
    Buffer.from(`# -*- coding: latin-1 -*-\nx = "é\u00ff"; ${call(value)}`, "latin1"),
  ),
  // 表 in Shift JIS ends with the byte of a backslash.
  both((value) =>
    Buffer.from(`# coding: shift_jis\nx = "\x95\\\x83\\"; ${call(value)}\n`, "latin1"),
  ),
  both((value) => Buffer.from(`# coding: cp1251\n# \u00cf\u00f0\n${call(value)}\n`, "latin1")),
  both((value) => Buffer.from(`a = 1\r\nif a:\r\n\t${call(value)}\r\n`)),
  both((value) => Buffer.from(`a = 1\rif a:\r  ${call(value)}\rb = 2`)),
  both((value) =>
    Buffer.from(`a = 1\n\x0c\n\x0c${call(value)}\nx = "\x0b\x1c\u2028\u0085"\n${call(value)}\n`),
  ),
  both((value) =>
    Buffer.from(`x = """\n\r\n\u2029"""; ${call(value, ", y='😀'")} ; ${call(value)}\n\n\n`),
  ),
  both((value) => Buffer.from(`x = 1 + \\\n  ${call(value)}   \t # é\n`)),
];

function both(source: (value: string) => Buffer): readonly [Buffer, Buffer] {
  return [source("True"), source("2.0")];
}

"""Follows a Dag file as far as reading it tells: Dags, groups, tasks, what goes into which."""

import ast

from annotations import Annotations
from calls import Calls
from decorators import decorate, dotted
from values import (
    UNKNOWN,
    Callable,
    Dag,
    Env,
    Group,
    Imported,
    Literal,
    Method,
    Model,
    Returned,
    Scope,
    Sequence,
    TaskRef,
    tasks_of,
)

MAX_CALLS = 2000


class Interpreter(Calls):
    def __init__(self):
        self.annotations = Annotations()
        self.dags = []
        self.problems = []
        self.made = []  # every function, for Dags that nobody calls here
        self.called = set()
        self.running = []
        self.calls_left = MAX_CALLS

    def read(self, tree):
        env = Env()
        self.block(tree.body, env, Scope())
        for function in self.made:
            if function.kind == "dag" and id(function.node) not in self.called:
                self.call_function(function, [], {}, Scope(), function.node)
        self.tell_uncalled()
        return {
            "dags": [self.dag_answer(dag) for dag in self.dags if dag.stubs],
            "models": list(self.annotations.models.values()),
            "problems": sorted(self.problems, key=lambda problem: problem["line"]),
        }

    def dag_answer(self, dag):
        for stub in dag.stubs:
            before = {up for up, down in dag.edges if down == stub["taskId"]}
            stub["upstream"] = sorted(before)
            stub["mapsDownstream"] = stub["taskId"] in dag.expanded and not stub["isMapped"]
        return {"dagId": dag.dag_id, "stubs": dag.stubs}

    def tell_uncalled(self):
        for function in self.made:
            if function.kind == "stub" and id(function.node) not in self.called:
                self.problem(function.node, f"the stub {function.node.name} is never called, so it is no task of a Dag")

    def problem(self, node, message):
        entry = {"line": getattr(node, "lineno", 1), "message": message}
        if entry not in self.problems:
            self.problems.append(entry)

    # Statements

    def block(self, statements, env, scope):
        for statement in statements:
            self.statement(statement, env, scope)

    def statement(self, node, env, scope):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            self.imports(node, env)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            function = decorate(node, env, lambda each: self.evaluate(each, env, scope))
            env.names[node.name] = function
            self.made.append(function)
        elif isinstance(node, ast.ClassDef):
            env.names[node.name] = Model(node, env)
        elif isinstance(node, ast.Assign):
            value = self.evaluate(node.value, env, scope)
            for target in node.targets:
                self.assign(target, value, node.value, env)
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            self.assign(node.target, self.evaluate(node.value, env, scope), node.value, env)
        elif type(node).__name__ == "TypeAlias":  # Python 3.12
            env.nodes[node.name.id] = node.value
        elif isinstance(node, ast.Expr):
            self.evaluate(node.value, env, scope)
        elif isinstance(node, ast.Return):
            raise Returned(UNKNOWN if node.value is None else self.evaluate(node.value, env, scope))
        elif isinstance(node, (ast.With, ast.AsyncWith)):
            self.with_statement(node, env, scope)
        elif isinstance(node, (ast.For, ast.AsyncFor, ast.While)):
            if isinstance(node, (ast.For, ast.AsyncFor)):
                self.assign(node.target, UNKNOWN, None, env)
            self.branch(node.body, env, scope.within(in_loop=True))
            self.branch(node.orelse, env, scope)
        elif isinstance(node, ast.If):
            self.branch(node.body, env, scope)
            self.branch(node.orelse, env, scope)
        elif type(node).__name__ == "Match":  # Python 3.10
            for case in node.cases:
                self.branch(case.body, env, scope)
        elif isinstance(node, (ast.Try, getattr(ast, "TryStar", ast.Try))):
            for body in (node.body, *(handler.body for handler in node.handlers), node.orelse, node.finalbody):
                self.branch(body, env, scope)

    def branch(self, statements, env, scope):
        """What may return where the rest may go on."""
        try:
            self.block(statements, env, scope)
        except Returned:
            pass

    def imports(self, node, env):
        for alias in node.names:
            if alias.name == "*":
                env.names[f"{node.module}.*"] = Imported(node.module)
                continue
            if isinstance(node, ast.ImportFrom):
                path = f"{node.module}.{alias.name}"
            else:
                path = alias.name if alias.asname else alias.name.split(".")[0]
            env.names[alias.asname or path.split(".")[-1]] = Imported(path)

    def assign(self, target, value, node, env):
        if isinstance(target, ast.Name):
            env.names[target.id] = value
            if node is not None:
                env.nodes[target.id] = node
        elif isinstance(target, (ast.Tuple, ast.List)):
            items = value.items if isinstance(value, Sequence) else []
            same = len(items) == len(target.elts)
            for at, part in enumerate(target.elts):
                self.assign(part, items[at] if same else UNKNOWN, None, env)

    def with_statement(self, node, env, scope):
        for item in node.items:
            value = self.evaluate(item.context_expr, env, scope)
            if isinstance(value, Dag):
                scope = scope.within(dag=value, group=None)
            elif isinstance(value, Group):
                scope = scope.within(group=value)
            if item.optional_vars is not None:
                self.assign(item.optional_vars, value, None, env)
        self.block(node.body, env, scope)

    # Expressions

    def evaluate(self, node, env, scope):
        if isinstance(node, ast.Constant):
            simple = node.value is None or isinstance(node.value, (bool, int, float, str))
            finite = not isinstance(node.value, float) or node.value - node.value == 0
            return Literal(node.value) if simple and finite else UNKNOWN
        if isinstance(node, ast.Name):
            return env.get(node.id) or UNKNOWN
        if isinstance(node, ast.Call):
            return self.call(node, env, scope)
        if isinstance(node, (ast.List, ast.Tuple)):
            return self.sequence([self.evaluate(item, env, scope) for item in node.elts])
        if isinstance(node, ast.Dict):
            return self.dictionary(node, env, scope)
        if isinstance(node, ast.BinOp):
            return self.binary(node, env, scope)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            value = self.evaluate(node.operand, env, scope)
            number = isinstance(value, Literal) and type(value.value) in (int, float)
            return Literal(-value.value) if number else UNKNOWN
        if isinstance(node, ast.Attribute):
            return self.attribute(node, env, scope)
        if isinstance(node, ast.Subscript):
            owner = self.evaluate(node.value, env, scope)
            index = node.slice.value if type(node.slice).__name__ == "Index" else node.slice
            key = self.evaluate(index, env, scope)
            is_key = isinstance(owner, TaskRef) and isinstance(key, Literal)
            return owner.at(key.value) if is_key else UNKNOWN
        if isinstance(node, ast.NamedExpr):
            value = self.evaluate(node.value, env, scope)
            self.assign(node.target, value, node.value, env)
            return value
        if isinstance(node, ast.IfExp):
            for part in (node.body, node.orelse):
                self.evaluate(part, env, scope)
        if isinstance(node, (ast.ListComp, ast.SetComp, ast.GeneratorExp)):
            inner = Env(env)
            for generator in node.generators:
                self.evaluate(generator.iter, inner, scope)
                self.assign(generator.target, UNKNOWN, None, inner)
            self.evaluate(node.elt, inner, scope.within(in_loop=True))
        return UNKNOWN

    def sequence(self, items):
        if all(isinstance(item, Literal) for item in items):
            return Literal([item.value for item in items])
        return Sequence(items)

    def dictionary(self, node, env, scope):
        keys = [None if key is None else self.evaluate(key, env, scope) for key in node.keys]
        values = [self.evaluate(value, env, scope) for value in node.values]
        if not all(isinstance(part, Literal) for part in (*keys, *values)):
            return UNKNOWN
        if not all(isinstance(key.value, (str, int, float)) for key in keys):
            return UNKNOWN
        return Literal({str(key.value): value.value for key, value in zip(keys, values)})

    def binary(self, node, env, scope):
        left = self.evaluate(node.left, env, scope)
        right = self.evaluate(node.right, env, scope)
        if isinstance(node.op, ast.RShift):
            self.depends(left, right)
            return right
        if isinstance(node.op, ast.LShift):
            self.depends(right, left)
            return right
        return calculate(node.op, left, right)

    def attribute(self, node, env, scope):
        path = dotted(node, env)
        if path is not None:
            return Imported(path)
        owner = self.evaluate(node.value, env, scope)
        if isinstance(owner, TaskRef):
            return owner if node.attr == "output" else Method(owner, node.attr)
        return Method(owner, node.attr) if isinstance(owner, (Callable, Dag)) else UNKNOWN

    def depends(self, before, after):
        for up in tasks_of(before):
            for down in tasks_of(after):
                if up.dag is not None:
                    up.dag.edges.append((up.task_id, down.task_id))


def calculate(operator, left, right):
    """Numbers and texts, as `60 * 60` or `PREFIX + "x"`."""
    if not (isinstance(left, Literal) and isinstance(right, Literal)):
        return UNKNOWN
    one, other = left.value, right.value
    if isinstance(one, str) and isinstance(other, str):
        return Literal(one + other) if isinstance(operator, ast.Add) else UNKNOWN
    if not all(type(value) in (int, float) and abs(value) < 2**64 for value in (one, other)):
        return UNKNOWN
    if isinstance(operator, ast.Add):
        return Literal(one + other)
    if isinstance(operator, ast.Sub):
        return Literal(one - other)
    if isinstance(operator, ast.Mult):
        return Literal(one * other)
    is_power = isinstance(operator, ast.Pow) and type(one) is int and type(other) is int and 0 <= other <= 128
    return Literal(one**other) if is_power else UNKNOWN

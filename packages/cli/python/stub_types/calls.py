"""What calls make: Dags, groups, and tasks with what goes into their parameters."""

import ast

from decorators import airflow_name, decorator_kind, dotted
from parameters import bind, sources_of
from values import UNKNOWN, Callable, Dag, Decorator, Element, Env, Group, Literal, Method, Returned, TaskRef, tasks_of


class Calls:
    def call(self, node, env, scope):
        path = dotted(node.func, env)
        keywords = self.keywords(node, env, scope)
        args = [self.evaluate(arg, env, scope) for arg in node.args]
        if path is not None:
            return self.call_imported(node, path, args, keywords, scope)
        function = self.evaluate(node.func, env, scope)
        if isinstance(function, Method):
            return self.call_method(function, args, keywords, scope, node)
        if isinstance(function, Decorator):
            return self.decorated(function.kind, args, function.options, node)
        if isinstance(function, Callable):
            return self.call_function(function, args, keywords, scope, node)
        return self.operator(keywords, scope, node)

    def keywords(self, node, env, scope):
        """Those given by name; `**more` tells of names that only running the file tells."""
        given = {}
        for keyword in node.keywords:
            value = self.evaluate(keyword.value, env, scope)
            if keyword.arg is not None:
                given[keyword.arg] = value
            elif isinstance(value, Literal) and isinstance(value.value, dict):
                given.update({name: Literal(item) for name, item in value.value.items()})
            else:
                given["**"] = UNKNOWN
        return given

    def call_imported(self, node, path, args, keywords, scope):
        kind = decorator_kind(path)
        if kind is not None:
            if args and isinstance(args[0], Callable):
                return self.decorated(kind, args, keywords, node)
            if kind == "dag" and args and "dag_id" not in keywords:
                keywords = {"dag_id": args[0], **keywords}
            return Decorator(kind, keywords)
        name = airflow_name(path)
        if name == "DAG":
            return self.new_dag(keywords.get("dag_id", args[0] if args else UNKNOWN), node)
        if name == "TaskGroup":
            return self.group(keywords.get("group_id", args[0] if args else UNKNOWN), keywords, scope, node)
        if name in ("chain", "chain_linear"):
            for before, after in zip(args, args[1:]):
                self.depends(before, after)
            return UNKNOWN
        return self.operator(keywords, scope, node)

    def decorated(self, kind, args, options, node):
        """`task.stub(queue="q")(function)`, `task.stub(function)`."""
        inner = args[0] if args else UNKNOWN
        if not isinstance(inner, Callable):
            if kind == "stub":
                self.problem(node, "a stub is made of what is no function of this file")
            return UNKNOWN
        made = Callable(kind, inner.node, inner.env, options)
        self.made.append(made)
        return made

    def new_dag(self, dag_id, node):
        text = dag_id.value if isinstance(dag_id, Literal) and isinstance(dag_id.value, str) else None
        if text is None:
            self.problem(node, "the id of this Dag is only told by running the file; write it as text")
        dag = Dag(text)
        if text is not None:
            self.dags.append(dag)
        return dag

    def group(self, group_id, options, scope, node):
        if not (isinstance(group_id, Literal) and isinstance(group_id.value, str)):
            self.problem(node, "the id of this task group is only told by running the file; write it as text")
            group_id = Literal("?")
        prefixes = options.get("prefix_group_id")
        return Group(scope.prefix() + group_id.value, not (isinstance(prefixes, Literal) and prefixes.value is False))

    def operator(self, keywords, scope, node):
        """An operator, whatever its class is, is known by its task_id."""
        task_id = keywords.get("task_id")
        if not (isinstance(task_id, Literal) and isinstance(task_id.value, str)):
            return UNKNOWN
        dag = self.dag_of(keywords, scope)
        return TaskRef(dag, self.unique_id(dag, scope.prefix() + task_id.value))

    def dag_of(self, options, scope):
        given = options.get("dag")
        return given if isinstance(given, Dag) else scope.dag

    def unique_id(self, dag, task_id):
        if dag is None:
            return task_id
        unique, count = task_id, 0
        while unique in dag.task_ids:
            count += 1
            unique = f"{task_id}__{count}"
        dag.task_ids.add(unique)
        return unique

    def call_method(self, method, args, keywords, scope, node):
        owner, name = method.owner, method.name
        if isinstance(owner, TaskRef):
            for each in args:
                if name == "set_downstream":
                    self.depends(owner, each)
                elif name == "set_upstream":
                    self.depends(each, owner)
            return owner if name in ("as_setup", "as_teardown") else UNKNOWN
        if not isinstance(owner, Callable):
            return UNKNOWN
        if name == "override":
            return owner.with_options(keywords)
        if name == "partial":
            return owner.with_partial(keywords)
        if name == "expand":
            return self.call_function(owner, args, {}, scope, node, expanded=keywords)
        if name == "expand_kwargs":
            return self.call_function(owner, [], {}, scope, node, expanded={"**": UNKNOWN})
        return UNKNOWN

    def call_function(self, function, args, keywords, scope, node, expanded=None):
        self.called.add(id(function.node))
        for value in (expanded or {}).values():
            for task in tasks_of(value):
                if task.dag is not None:
                    task.dag.expanded.add(task.task_id)
        if function.kind in ("stub", "task"):
            return self.new_task(function, args, keywords, scope, node, expanded)
        self.calls_left -= 1
        if self.calls_left < 0 or function.node in self.running:
            return UNKNOWN
        if function.kind == "dag":
            dag_id = function.options.get("dag_id", Literal(function.node.name))
            scope = scope.within(dag=self.new_dag(dag_id, function.node), group=None)
        elif function.kind == "group":
            group_id = function.options.get("group_id", Literal(function.node.name))
            scope = scope.within(group=self.group(group_id, function.options, scope, node))
            if expanded is not None:
                scope = scope.within(is_mapped=True)
                is_single = len(expanded) == 1
                expanded = {name: Element(value) if is_single else UNKNOWN for name, value in expanded.items()}
        return self.run_body(function, args, {**function.partial, **keywords, **(expanded or {})}, scope)

    def run_body(self, function, args, keywords, scope):
        env = Env(function.env)
        for name, value in bind(function.node, args, keywords).items():
            env.names[name] = value
        self.running.append(function.node)
        try:
            self.block(function.node.body, env, scope)
        except Returned as end:
            return end.value
        finally:
            self.running.pop()
        return UNKNOWN

    def new_task(self, function, args, keywords, scope, node, expanded):
        dag = self.dag_of(function.options, scope)
        named = function.options.get("task_id", Literal(function.node.name))
        if not (isinstance(named, Literal) and isinstance(named.value, str)):
            self.problem(node, f"the task id of {function.node.name} is only told by running the file")
            named = Literal(function.node.name)
        task_id = self.unique_id(dag, scope.prefix() + named.value)
        returns = self.annotations.read(function.node.returns, function.env)
        is_mapped = expanded is not None or scope.is_mapped
        made = TaskRef(dag, task_id, returns, is_mapped)
        given = bind(function.node, args, {**function.partial, **keywords, **(expanded or {})})
        for value in (*given.values(), *args, *keywords.values()):
            self.depends(value, made)
        if function.kind == "stub":
            self.add_stub(function, made, given, expanded, scope, node)
        return made

    def add_stub(self, function, task, given, expanded, scope, node):
        name = function.node.name
        if scope.in_loop:
            self.problem(node, f"{name} is called in a loop: how many tasks that makes is only told by running the file")
        if task.dag is None:
            self.problem(node, f"{name} is called outside of a Dag")
            return
        if task.dag.dag_id is None:
            return
        self.tell_refused(function, given, expanded, scope, node)
        is_expanded = expanded is not None
        sources = sources_of(self, function, given, expanded, node)
        parameters = [
            {"name": each.arg, "type": self.annotations.read(each.annotation, function.env), "source": source}
            for each, source in sources
        ]
        task.dag.stubs.append(
            {
                "taskId": task.task_id,
                "function": name,
                "doc": ast.get_docstring(function.node),
                "parameters": parameters,
                "returns": task.returns,
                "multipleOutputs": self.has_outputs(function, task.returns),
                "isMapped": is_expanded or scope.is_mapped,
                "upstream": [],
            }
        )

    def has_outputs(self, function, returns):
        """Airflow takes a result that is annotated as a map for several outputs, unless it is told."""
        given = function.options.get("multiple_outputs")
        if isinstance(given, Literal) and given.value is not None:
            return bool(given.value)
        if returns is None:
            return False
        if returns["kind"] == "model":
            return self.annotations.models[returns["name"]]["kind"] == "map"
        return returns["kind"] == "map"

    def tell_refused(self, function, given, expanded, scope, node):
        """What Airflow itself does not take."""
        name, stub = function.node.name, function.node
        if isinstance(stub, ast.AsyncFunctionDef):
            self.problem(stub, f"{name} is async: Airflow takes no such stub")
        if not all(is_nothing(statement) for statement in stub.body):
            self.problem(stub, f"{name} has a body: Airflow takes only an empty stub")
        if stub.args.vararg is not None or stub.args.kwarg is not None:
            self.problem(stub, f"{name} has *args or **kwargs: Airflow passes no arguments to such a stub")
        if scope.is_mapped and expanded is None and given:
            self.problem(node, f"{name} gets arguments in a mapped group: Airflow 3.4 does not take that")


def is_nothing(statement):
    constant = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return constant or isinstance(statement, ast.Pass)

"""Which value goes into which parameter of a function, and where a stub gets it from."""

from values import Element, Literal, Scope, TaskRef


def parameters_of(node):
    """Those that a call can give, in order; `*args` and `**kwargs` are none."""
    arguments = node.args
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]


def bind(node, args, keywords):
    """Values by name of the parameter; defaults are not among them."""
    positional = [*node.args.posonlyargs, *node.args.args]
    given = {parameter.arg: value for parameter, value in zip(positional, args)}
    known = {parameter.arg for parameter in parameters_of(node)}
    given.update({name: value for name, value in keywords.items() if name in known})
    return given


def default_nodes(node):
    positional = [*node.args.posonlyargs, *node.args.args]
    defaults = dict(zip([each.arg for each in reversed(positional)], reversed(node.args.defaults)))
    pairs = zip(node.args.kwonlyargs, node.args.kw_defaults)
    defaults.update({each.arg: default for each, default in pairs if default is not None})
    return defaults


def sources_of(interpreter, function, given, expanded, node):
    """Each parameter with where its value comes from."""
    defaults = default_nodes(function.node)
    found = []
    for parameter in parameters_of(function.node):
        name = parameter.arg
        if expanded is not None and name in expanded:
            source = expanded_source(interpreter, function, name, expanded, node)
        elif name in given:
            source = source_of(interpreter, function, name, given[name], node)
        elif name in defaults:
            value = interpreter.evaluate(defaults[name], function.env, Scope())
            source = source_of(interpreter, function, name, value, node)
        else:
            if expanded is None:
                message = f"{function.node.name} is called without its parameter {name}"
                interpreter.problem(node, message)
            source = {"kind": "argument"}
        found.append((parameter, source))
    return found


def source_of(interpreter, function, name, value, node):
    place = f"{function.node.name}({name}=…)"
    if isinstance(value, Element):
        return element_source(interpreter, value.value, place, node)
    if isinstance(value, Literal):
        return {"kind": "literal", "value": value.value}
    if isinstance(value, TaskRef):
        if value.is_mapped:
            interpreter.problem(node, f"{place}: Airflow passes no result of a mapped task to a stub")
        if value.key is not None:
            interpreter.problem(node, f"{place}: Airflow passes whole results to a stub, not one key of them")
        return {"kind": "task", "taskId": value.task_id, "key": value.key, "returns": value.returns}
    interpreter.problem(node, f"{place}: its value is only told by running the file")
    return {"kind": "argument"}


def expanded_source(interpreter, function, name, expanded, node):
    place = f"{function.node.name}.expand({name}=…)"
    if len(expanded) == 1:
        return element_source(interpreter, expanded[name], place, node)
    interpreter.problem(node, f"{place}: of several expanded parameters the task has to find its own elements")
    return {"kind": "argument"}


def element_source(interpreter, value, place, node):
    if isinstance(value, TaskRef):
        return {"kind": "each", "taskId": value.task_id}
    if isinstance(value, Literal) and isinstance(value.value, list):
        return {"kind": "each", "values": value.value}
    interpreter.problem(node, f"{place}: its value is only told by running the file")
    return {"kind": "argument"}

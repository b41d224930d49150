"""What expressions of a Dag file stand for."""


class Unknown:
    """Only running the file tells."""


UNKNOWN = Unknown()


class Literal:
    """A value that JSON holds; tuples are lists, as Airflow binds them."""

    def __init__(self, value):
        self.value = value


class Imported:
    """A name of another module, as a dotted path."""

    def __init__(self, path):
        self.path = path


class Sequence:
    """A list or tuple of which not all is literal."""

    def __init__(self, items):
        self.items = items


class Element:
    """The element of a mapped group that belongs to its instance."""

    def __init__(self, value):
        self.value = value


class Model:
    """A class of the file."""

    def __init__(self, node, env):
        self.node = node
        self.env = env


class Dag:
    def __init__(self, dag_id):
        self.dag_id = dag_id
        self.task_ids = set()
        self.stubs = []
        self.edges = []  # (upstream, downstream) ids
        self.expanded = set()  # ids of tasks whose results others are expanded over


class Group:
    def __init__(self, group_id, prefixes):
        self.group_id = group_id  # with those of the groups around it
        self.prefixes = prefixes

    def prefix(self):
        return f"{self.group_id}." if self.prefixes else ""


class TaskRef:
    """A task, or what it returns."""

    def __init__(self, dag, task_id, returns=None, is_mapped=False, key=None):
        self.dag = dag
        self.task_id = task_id
        self.returns = returns
        self.is_mapped = is_mapped
        self.key = key

    def at(self, key):
        return TaskRef(self.dag, self.task_id, None, self.is_mapped, key)


class Callable:
    """A function of the file, with what it was decorated as: stub, task, group, dag, function."""

    def __init__(self, kind, node, env, options=None, partial=None):
        self.kind = kind
        self.node = node
        self.env = env
        self.options = options or {}
        self.partial = partial or {}

    def with_options(self, options):
        return Callable(self.kind, self.node, self.env, {**self.options, **options}, self.partial)

    def with_partial(self, partial):
        return Callable(self.kind, self.node, self.env, self.options, {**self.partial, **partial})


class Method:
    def __init__(self, owner, name):
        self.owner = owner
        self.name = name


class Decorator:
    """`task.stub`, with the options that it was called with."""

    def __init__(self, kind, options=None):
        self.kind = kind
        self.options = options or {}


def tasks_of(value):
    """The tasks that a value is made of."""
    if isinstance(value, TaskRef):
        return [value]
    if isinstance(value, Element):
        return tasks_of(value.value)
    if isinstance(value, Sequence):
        return [task for item in value.items for task in tasks_of(item)]
    return []


class Returned(Exception):
    """The end of a function of the Dag file."""

    def __init__(self, value):
        super().__init__()
        self.value = value


class Scope:
    """Where a task is made: in which Dag, in which group, in a loop."""

    def __init__(self, dag=None, group=None, in_loop=False, is_mapped=False):
        self.dag = dag
        self.group = group
        self.in_loop = in_loop
        self.is_mapped = is_mapped

    def prefix(self):
        return "" if self.group is None else self.group.prefix()

    def within(self, **changes):
        fields = {"dag": self.dag, "group": self.group, "in_loop": self.in_loop, "is_mapped": self.is_mapped}
        return Scope(**{**fields, **changes})


class Env:
    """Names in scope; a function sees those of the places around it."""

    def __init__(self, outer=None):
        self.outer = outer
        self.names = {}
        self.nodes = {}  # of simple assignments, for type aliases

    def get(self, name):
        env = self
        while env is not None:
            if name in env.names:
                return env.names[name]
            env = env.outer
        return None

    def node(self, name):
        env = self
        while env is not None:
            if name in env.nodes:
                return env.nodes[name]
            env = env.outer
        return None

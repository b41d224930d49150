/** An object all of whose methods are asynchronous. */
type AsyncMethods<Group> = {
  readonly [name in keyof Group]: (...args: never) => Promise<unknown>;
};

/**
 * A group of methods whose code is loaded at the first call of one: a task that does not use the
 * group does not pay for it when it starts.
 *
 * @param names - every method of the group; held against its type
 */
export function lazily<Group extends AsyncMethods<Group>>(
  names: { readonly [name in keyof Group]: true },
  load: () => Promise<Group>,
): Group {
  let loading: Promise<Group> | undefined;
  const methods = Object.keys(names).map((name) => {
    const call = async (...args: never[]): Promise<unknown> => {
      loading ??= load();
      const group = await loading;
      return group[name as keyof Group](...(args as never));
    };
    return [name, call];
  });
  return Object.fromEntries(methods) as Group;
}

/** The `type` of a body; undefined where there is none that is text. */
export function messageType(body: unknown): string | undefined {
  const type = (body as { readonly type?: unknown } | null | undefined)?.type;
  return typeof type === "string" ? type : undefined;
}

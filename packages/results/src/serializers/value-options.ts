/**
 * How values are read. The defaults give what a JavaScript program expects; with both switched on,
 * writing what was read gives the same Python value again, key order and number kinds included.
 */
export interface ValueOptions {
  /**
   * Read floats without a fraction (`1.0`) as {@link PythonFloat}, so that they stay floats when
   * they are written again. Default `false`: they are read as plain numbers, and written as ints.
   */
  readonly wrapFloats?: boolean | undefined;
  /**
   * Read a dict whose order a JavaScript object can't keep (keys such as `"10"` and `"9"`, which
   * objects sort) as a `Map`. Default `false`: every dict with text keys is an object.
   */
  readonly keepKeyOrder?: boolean | undefined;
}

/** Types without parts; `any` is said, or nothing is. */
export type SimpleKind =
  | "int"
  | "float"
  | "str"
  | "bool"
  | "none"
  | "bytes"
  | "datetime"
  | "date"
  | "timedelta"
  | "decimal"
  | "uuid"
  | "any";

/** An annotation, as `python/stub_types` tells it. */
export type PythonType =
  | { readonly kind: SimpleKind }
  | { readonly kind: "list" | "set" | "map"; readonly item: PythonType }
  | {
      readonly kind: "tuple";
      readonly items: readonly PythonType[];
      readonly rest: PythonType | null;
    }
  | { readonly kind: "union"; readonly of: readonly PythonType[] }
  | { readonly kind: "literal"; readonly values: readonly unknown[] }
  | { readonly kind: "model"; readonly name: string }
  | { readonly kind: "unknown"; readonly text: string };

/** Where the value of a stub's parameter comes from. */
export type ParameterSource =
  | {
      readonly kind: "task";
      readonly taskId: string;
      readonly key: unknown;
      /** What that task is annotated to return. */
      readonly returns: PythonType | null;
    }
  | { readonly kind: "each"; readonly taskId: string }
  | { readonly kind: "each"; readonly values: readonly unknown[] }
  | { readonly kind: "literal"; readonly value: unknown }
  | { readonly kind: "argument" };

/** A parameter of a stub. */
export interface StubParameter {
  readonly name: string;
  readonly type: PythonType | null;
  readonly source: ParameterSource;
}

/** A task that is made of a stub. */
export interface StubTask {
  readonly taskId: string;
  /** Name of the Python function. */
  readonly function: string;
  readonly doc: string | null;
  readonly parameters: readonly StubParameter[];
  readonly returns: PythonType | null;
  readonly multipleOutputs: boolean;
  readonly isMapped: boolean;
  readonly mapsDownstream: boolean;
  readonly upstream: readonly string[];
}

/** A class of the file that annotations name; an "object" and a "pydantic" one arrive wrapped. */
export interface StubModel {
  readonly name: string;
  readonly kind: "map" | "object" | "pydantic";
  readonly fields: readonly {
    readonly name: string;
    readonly type: PythonType;
    readonly isOptional: boolean;
  }[];
}

/** What one Python file has. */
export interface StubFile {
  readonly dags: readonly { readonly dagId: string; readonly stubs: readonly StubTask[] }[];
  readonly models: readonly StubModel[];
  /** What only running the file tells, and what Airflow will refuse. */
  readonly problems: readonly { readonly line: number; readonly message: string }[];
}

/** The answer for one file. */
export type StubAnswer =
  | StubFile
  | {
      readonly error: {
        readonly kind: "syntax" | "encoding";
        readonly message: string;
        readonly line: number | null;
        readonly column: number | null;
      };
    };

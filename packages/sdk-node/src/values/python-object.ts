import { markKind } from "./python-kind.ts";

/**
 * A value of any other Python class, as Airflow wrapped it: a dataclass, a pydantic model, an Asset.
 * Python reads it back only where the class is on its list of allowed ones
 * (`[core] allowed_deserialization_classes`).
 */
export class PythonObject<Data = unknown> {
  /** With its module: `my_company.models.Order`. */
  readonly className: string;
  /** Of the class, as its author counts. */
  readonly version: number;
  /** What it is made of; often an object with its fields. */
  readonly data: Data;

  constructor(className: string, version: number, data: Data) {
    this.className = className;
    this.version = version;
    this.data = data;
  }
}

markKind(PythonObject.prototype, "object");

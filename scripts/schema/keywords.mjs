// The Ajv keywords that wireSchema writes. Each emits a few lines of plain JavaScript; the
// checks they call by name are imported from packages/protocol/src/validation.
//
// What they say about a fault is the type Fault of src/validation/issues.ts.
import { requireFromPackage } from "./load.mjs";

const { _, Name } = requireFromPackage("ajv");
const { not, stringify } = requireFromPackage("ajv/dist/compile/codegen/index.js");
const { Type } = requireFromPackage("ajv/dist/compile/util.js");

/** Names that a generated file may import from the validation runtime. */
export const RUNTIME_NAMES = [
  "dateTimeReceived",
  "dateTimeSent",
  "duration",
  "field",
  "fields",
  "flag",
  "float",
  "freeMap",
  "integer",
  "json",
  "jsonMap",
  "text",
  "uuid",
  "dateTimeKind",
  "isDateTimeReceived",
  "isDateTimeSent",
  "isDuration",
  "isFreeMap",
  "isInteger",
  "isMap",
  "isNumber",
  "isUuid",
  "jsonFault",
  "jsonMapFault",
  "kindOf",
  "numeric",
  "shown",
  "unknownFields",
];

const WIRE = {
  text: ["text", (data) => _`typeof ${data} === "string"`],
  boolean: ["true or false", (data) => _`typeof ${data} === "boolean"`],
  null: ["null", (data) => _`${data} === null`],
  integer: ["a whole number", call("isInteger")],
  number: ["a finite number", call("isNumber")],
  dateTimeSent: ["a date-time with a zone", call("isDateTimeSent"), "dateTimeKind"],
  dateTimeReceived: ["a date-time", call("isDateTimeReceived")],
  duration: ["a duration (ISO 8601 text or seconds)", call("isDuration")],
  uuid: ["a UUID", call("isUuid")],
  freeMap: ["a map with text keys", call("isFreeMap")],
};

const KINDS = {
  text: ["text", WIRE.text[1]],
  number: ["a number", call("isNumber")],
  list: ["a list", (data) => _`Array.isArray(${data})`],
  map: ["a map", call("isFreeMap")],
};

function call(name) {
  return (data) => _`${new Name(name)}(${data})`;
}

/** A keyword whose errors carry a Fault as their params. */
function keyword(name, code, extra = {}) {
  return {
    keyword: name,
    error: { message: "", params: ({ params }) => params.fault },
    code,
    ...extra,
  };
}

function fault(cxt, expected, describe = "kindOf") {
  cxt.setParams({ fault: _`{expected: ${expected}, got: ${call(describe)(cxt.data)}}` });
  cxt.error();
}

const wire = keyword("wire", (cxt) => {
  const [expected, check, describe] = WIRE[cxt.schema];
  cxt.gen.if(not(check(cxt.data)), () => fault(cxt, expected, describe));
});

const among = keyword("among", (cxt) => {
  const { data, schema } = cxt;
  const condition = schema
    .map((value) => _`${data} === ${value}`)
    .reduce((a, b) => _`${a} || ${b}`);
  const shown = schema.map((value) => JSON.stringify(value)).join(", ");
  const expected = schema.length === 1 ? shown : `one of ${shown}`;
  cxt.gen.if(_`!(${condition})`, () => {
    // Enumerations hold no secrets: a short wrong text is worth showing.
    cxt.setParams({ fault: _`{expected: ${expected}, got: ${call("shown")(data)}}` });
    cxt.error();
  });
});

function limit(name, operator, words) {
  return keyword(name, (cxt) => {
    const value = _`${new Name("numeric")}(${cxt.data})`;
    cxt.gen.if(_`${value} ${operator} ${cxt.schema}`, () => fault(cxt, `${words} ${cxt.schema}`));
  });
}

const fields = keyword("fields", (cxt) => {
  const { gen, data, schema, parentSchema } = cxt;
  gen.if(
    call("isMap")(data),
    () => {
      for (const [name, field] of Object.entries(schema)) {
        const value = _`${data}${property(name)}`;
        const isThere = _`${value} !== undefined`;
        if (parentSchema.demanded.includes(name)) {
          gen.if(
            isThere,
            () => subschema(cxt, name, field),
            () => missing(cxt, name),
          );
        } else if (Object.keys(field).length > 0) {
          gen.if(isThere, () => subschema(cxt, name, field));
        }
      }
      if (parentSchema.closed) closed(cxt, Object.keys(schema));
    },
    () => fault(cxt, "a map"),
  );
});

function property(name) {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? _`.${new Name(name)}` : _`[${name}]`;
}

function subschema(cxt, schemaProp, schema) {
  if (Object.keys(schema).length === 0) return;
  cxt.subschema({ keyword: "fields", schemaProp, dataProp: schemaProp }, cxt.gen.name("valid"));
}

function missing(cxt, name) {
  cxt.setParams({ fault: _`{missing: ${name}}` });
  cxt.error();
}

function closed(cxt, names) {
  const { gen, data } = cxt;
  const known = gen.scopeValue("keyword", {
    key: names.join(),
    ref: names,
    code: _`new Set(${stringify(names)})`,
  });
  gen.forOf("key", _`${new Name("unknownFields")}(${data}, ${known})`, (key) => {
    cxt.setParams({ fault: _`{unknown: ${key}}` });
    cxt.error();
  });
}

/** Stops at the first bad element: the number of errors must not grow with the body. */
const each = keyword("each", (cxt) => {
  const { gen, data, schema } = cxt;
  gen.if(
    _`Array.isArray(${data})`,
    () => {
      if (Object.keys(schema).length === 0) return;
      gen.forRange("i", 0, _`${data}.length`, (i) => {
        const valid = gen.name("valid");
        cxt.subschema({ keyword: "each", dataProp: i, dataPropType: Type.Num }, valid);
        gen.if(not(valid), () => gen.break());
      });
    },
    () => fault(cxt, "a list"),
  );
});

const eachValue = keyword("eachValue", (cxt) => {
  const { gen, data } = cxt;
  gen.if(
    call("isMap")(data),
    () => {
      gen.forIn("key", data, (key) => {
        const valid = gen.name("valid");
        cxt.subschema({ keyword: "eachValue", dataProp: key, dataPropType: Type.Str }, valid);
        gen.if(not(valid), () => gen.break());
      });
    },
    () => fault(cxt, "a map"),
  );
});

const atLeastItems = keyword("atLeastItems", (cxt) => {
  const { gen, data, schema } = cxt;
  gen.if(_`Array.isArray(${data}) && ${data}.length < ${schema}`, () =>
    fault(cxt, `a list of at least ${schema}`),
  );
});

const tuple = keyword("tuple", (cxt) => {
  const { gen, data, schema } = cxt;
  const isRight = _`Array.isArray(${data}) && ${data}.length === ${schema.length}`;
  gen.if(
    isRight,
    () => {
      schema.forEach((_item, index) => {
        cxt.subschema(
          { keyword: "tuple", schemaProp: index, dataProp: index, dataPropType: Type.Num },
          gen.name("valid"),
        );
      });
    },
    () => fault(cxt, `a list of ${schema.length}`),
  );
});

const orNull = keyword("orNull", (cxt) => {
  const { gen, data } = cxt;
  gen.if(_`${data} !== null`, () => cxt.subschema({ keyword: "orNull" }, gen.name("valid")));
});

const kinds = keyword("kinds", (cxt) => {
  const names = Object.keys(cxt.schema);
  const branches = names.map((name) => [
    KINDS[name][1](cxt.data),
    () => cxt.subschema({ keyword: "kinds", schemaProp: name }, cxt.gen.name("valid")),
  ]);
  choose(cxt.gen, branches, () => fault(cxt, names.map((name) => KINDS[name][0]).join(" or ")));
});

const tagged = keyword("tagged", (cxt) => {
  const { gen, data, schema, parentSchema } = cxt;
  const tags = Object.keys(schema);
  const tag = gen.const(
    "tag",
    _`${call("isMap")(data)} ? ${data}${property(parentSchema.tag)} : undefined`,
  );
  const branches = tags.map((name) => [
    _`${tag} === ${name}`,
    () => cxt.subschema({ keyword: "tagged", schemaProp: name }, gen.name("valid")),
  ]);
  choose(gen, branches, () =>
    fault(cxt, `a map whose ${parentSchema.tag} is ${tags.join(" or ")}`),
  );
});

function choose(gen, branches, otherwise) {
  branches.forEach(([condition, body], index) => {
    if (index === 0) gen.if(condition);
    else gen.elseIf(condition);
    body();
  });
  gen.else();
  otherwise();
  gen.endIf();
}

const json = keyword("json", (cxt) => {
  const { gen, data, schema } = cxt;
  const check = new Name(schema === "map" ? "jsonMapFault" : "jsonFault");
  const found = gen.const("found", _`${check}(${data})`);
  gen.if(_`${found} !== undefined`, () => {
    cxt.setParams({ fault: found });
    cxt.error();
  });
});

/** Keywords that another one reads; alone they judge nothing. */
export const COMPANIONS = ["demanded", "closed", "tag"];

export const KEYWORDS = [
  wire,
  among,
  fields,
  each,
  eachValue,
  atLeastItems,
  tuple,
  orNull,
  kinds,
  tagged,
  json,
  limit("atLeast", _`<`, "a number of at least"),
  limit("above", _`<=`, "a number above"),
];

import { inspect } from "node:util";
import { parseResultsUrl } from "@parlance/results";
import { throws } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";

type Parts = {
  [Name in "dialect" | "driver" | "user" | "password" | "host" | "port" | "database"]?:
    | string
    | number;
};

const NAMES = ["dialect", "driver", "user", "password", "host", "port", "database"] as const;

const READ: readonly [url: string, parts: Parts, masked?: string][] = [
  // SQLite
  ["db+sqlite:///results.sqlite", { dialect: "sqlite", database: "results.sqlite" }],
  ["database+sqlite:///a/b.db", { dialect: "sqlite", database: "a/b.db" }],
  ["sqlite:////var/lib/r.db", { dialect: "sqlite", database: "/var/lib/r.db" }],
  ["sqlite:///C:\\data\\r.db", { dialect: "sqlite", database: "C:\\data\\r.db" }],
  // SQLAlchemy does not decode the database
  ["sqlite:///a%20b.db", { dialect: "sqlite", database: "a%20b.db" }],
  ["sqlite://", { dialect: "sqlite" }],
  ["db+sqlite:///", { dialect: "sqlite" }],
  ["sqlite:///:memory:", { dialect: "sqlite" }],
  [
    "sqlite+pysqlite:///x.db?timeout=3",
    { dialect: "sqlite", driver: "pysqlite", database: "x.db" },
  ],
  ["  sqlite:///x.db\n", { dialect: "sqlite", database: "x.db" }, "sqlite:///x.db"],
  // PostgreSQL
  [
    "db+postgresql://scott:tiger@localhost/mydatabase",
    {
      dialect: "postgresql",
      user: "scott",
      password: "tiger",
      host: "localhost",
      database: "mydatabase",
    },
    "db+postgresql://scott:**@localhost/mydatabase",
  ],
  [
    "postgresql+psycopg2://u:p%40ss%2Fw%3Ard@db.example:5433/x",
    {
      dialect: "postgresql",
      driver: "psycopg2",
      user: "u",
      password: "p@ss/w:rd",
      host: "db.example",
      port: 5433,
      database: "x",
    },
    "postgresql+psycopg2://u:**@db.example:5433/x",
  ],
  // a password with / and ? that nobody escaped: SQLAlchemy reads it, so it is read here
  [
    "db+postgresql+psycopg://u:p/w?d@h/x",
    {
      dialect: "postgresql",
      driver: "psycopg",
      user: "u",
      password: "p/w?d",
      host: "h",
      database: "x",
    },
    "db+postgresql+psycopg://u:**@h/x",
  ],
  ["postgresql://u@h/x", { dialect: "postgresql", user: "u", host: "h", database: "x" }],
  [
    "postgresql://u:@h/x",
    { dialect: "postgresql", user: "u", password: "", host: "h", database: "x" },
    "postgresql://u:**@h/x",
  ],
  [
    "postgresql://:pw@h",
    { dialect: "postgresql", user: "", password: "pw", host: "h" },
    "postgresql://:**@h",
  ],
  [
    "postgresql://[2001:db8::1]:6432/x",
    { dialect: "postgresql", host: "2001:db8::1", port: 6432, database: "x" },
  ],
  [
    "postgresql://u:p@[::1]/x",
    { dialect: "postgresql", user: "u", password: "p", host: "::1", database: "x" },
    "postgresql://u:**@[::1]/x",
  ],
  ["postgresql:///x", { dialect: "postgresql", database: "x" }],
  ["postgresql://", { dialect: "postgresql" }],
  [
    "postgresql:///x?host=/var/run/pg&user=u&password=s3cret",
    { dialect: "postgresql", database: "x" },
    "postgresql:///x?host=/var/run/pg&user=u&password=**",
  ],
  ["postgres://h/x", { dialect: "postgresql", host: "h", database: "x" }],
  ["POSTGRESQL://h/x", { dialect: "postgresql", host: "h", database: "x" }],
  [
    "postgresql://u%ZZ:p%FFq@h/x",
    { dialect: "postgresql", user: "u%ZZ", password: "p\uFFFDq", host: "h", database: "x" },
    "postgresql://u%ZZ:**@h/x",
  ],
  [
    "postgresql://us%C3%A9r:p+w@h/x",
    { dialect: "postgresql", user: "usér", password: "p+w", host: "h", database: "x" },
    "postgresql://us%C3%A9r:**@h/x",
  ],
  // MySQL, MariaDB
  [
    "db+mysql://u:p@h:3307/x",
    { dialect: "mysql", user: "u", password: "p", host: "h", port: 3307, database: "x" },
    "db+mysql://u:**@h:3307/x",
  ],
  [
    "mysql+pymysql://u@h/x?charset=utf8mb4",
    { dialect: "mysql", driver: "pymysql", user: "u", host: "h", database: "x" },
  ],
  [
    "mysql+mysqldb:///x?unix_socket=/tmp/m.sock",
    { dialect: "mysql", driver: "mysqldb", database: "x" },
  ],
  [
    "mariadb+mariadbconnector://u@h/x",
    { dialect: "mysql", driver: "mariadbconnector", user: "u", host: "h", database: "x" },
  ],
];

for (const [url, parts, masked = url] of READ) {
  test(`reads ${JSON.stringify(url)}`, () => {
    const read = parseResultsUrl(url);
    for (const name of NAMES) assert.is(read[name], parts[name], name);
    assert.is(read.masked, masked);
  });
}

test("parameters are decoded as forms are; empty ones are left out", () => {
  const { parameters } = parseResultsUrl(
    "postgresql://h/x?options=-c+search_path%3Dcelery&sslmode=&a=b=c&host=h1&host=h2",
  );
  assert.equal(parameters, [
    ["options", "-c search_path=celery"],
    ["a", "b=c"],
    ["host", "h1"],
    ["host", "h2"],
  ]);
});

test("no way of printing shows a password", () => {
  const url = parseResultsUrl("postgresql://u:s3cret@h/x?sslpassword=s3cret&sslmode=require");
  const printed = [
    String(url),
    `${url}`,
    JSON.stringify({ url }),
    inspect(url, { showHidden: true }),
  ];
  printed.push(inspect({ deep: [url] }, { depth: 9 }), JSON.stringify(Object.entries(url)));
  for (const text of printed) assert.not.match(text, "s3cret");
  assert.is(url.password, "s3cret");
});

const REFUSED: readonly [url: unknown, code: string, words: RegExp][] = [
  [undefined, "missing-url", /^Missing connection string!/],
  [null, "missing-url", /^Missing connection string!/],
  ["", "missing-url", /^Missing connection string!/],
  [" \n", "missing-url", /^Missing connection string!/],
  ["db", "missing-url", /^Missing connection string!/],
  ["database+", "missing-url", /^Missing connection string!/],
  ["db+://", "missing-url", /^Missing connection string!/],
  [42, "bad-url", /a number, not a text/],
  [["sqlite://"], "bad-url", /an? object, not a text/],
  ["results.sqlite", "bad-url", /does not begin with/],
  ["user:s3cret@host/db", "bad-url", /does not begin with/],
  ["postgresql://u:s3cret@h:port/x", "bad-url", /port/],
  ["postgresql://h:0/x", "bad-url", /port/],
  ["postgresql://h:65536/x", "bad-url", /port/],
  ["postgresql://2001:db8::1/x", "bad-url", /port|brackets/],
  ["postgresql://u:s3cret@ret@h:1:2/x", "bad-url", /port|brackets/],
  ["sqlite://file.db", "bad-url", /sqlite:\/\/\/relative/],
  ["sqlite://u:s3cret@h/file.db", "bad-url", /no host/],
  ["sqlite:///file:x?mode=ro&uri=true", "bad-url", /URIs/],
  [
    "db+oracle://scott:s3cret@127.0.0.1:1521/sid",
    "unsupported-database",
    /Oracle.*SQLite, PostgreSQL, MySQL and MariaDB/s,
  ],
  [
    "db+mssql+pyodbc://u:s3cret@dsn",
    "unsupported-database",
    /SQL Server.*SQLite, PostgreSQL, MySQL and MariaDB/s,
  ],
  ["db+nosuch://u:s3cret@h/x", "unknown-dialect", /"nosuch"/],
  ["redis://:s3cret@h/0", "unknown-dialect", /"redis"/],
];

for (const [url, code, words] of REFUSED) {
  test(`refuses ${JSON.stringify(url)}: ${code}`, () => {
    const error = throws(() => parseResultsUrl(url as string), code);
    assert.match(error.message, words);
    assert.not.match(inspect(error, { depth: 9 }), "s3cret");
  });
}

test.run();

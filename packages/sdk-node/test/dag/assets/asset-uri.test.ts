import { asset } from "@parlance/sdk-node";
import { test } from "uvu";
import * as assert from "uvu/assert";

// What `Asset(uri=…).uri` of apache-airflow-task-sdk 1.4.0b2 is for each.
const URIS = {
  "s3://in": "s3://in/",
  "s3://B/k/?b=1&a=2#f": "s3://B/k?a=2&b=1",
  orders: "orders",
  "orders:v1": "orders:v1",
  "FILE:/a/b/": "file:///a/b",
  "file:///a//": "file:///a",
  "x-own://Any/THING/": "x-own://Any/THING/",
  "//host/p": "//host/p",
  "http://u:p@h/x": "http://h/x",
  "http://u@h/x": "http://u@h/x",
  "s3:": "s3:/",
  "http://h/x?q=%20%41+x&e=&n=~!*()": "http://h/x?n=~%21%2A%28%29&q=+A+x",
  "s3://ü/日": "s3://ü/日",
};

test("an asset has the URI that Airflow makes of it, and its name as it was given", () => {
  for (const [given, uri] of Object.entries(URIS)) {
    assert.is(asset({ uri: given }).uri, uri);
    assert.is(asset(given).name, given);
  }
});

test.run();

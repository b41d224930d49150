// In one process: loading the SDK takes longer than all of these tests.
import { test } from "uvu";
import "./client.ts";
import "./outcomes.ts";
import "./run-task.ts";

test.run();

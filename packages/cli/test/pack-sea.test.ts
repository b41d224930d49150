import { join } from "node:path";
import { temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import { registerFormatTests } from "./support/format-tests.ts";
import { writePackProject } from "./support/pack-project.ts";

// A file of its own: making one takes some seconds and 700 MB of memory.

const folder = temporaryFolder();
writePackProject(join(folder, "project"));
registerFormatTests(test, "sea", join(folder, "project"), join(folder, "sea/tasks"));

test.run();

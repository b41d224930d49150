import { test } from "uvu";
import * as assert from "uvu/assert";
import { mountOf, parseMountTable } from "../../dist/doctor/mount-table.js";

const TABLE = parseMountTable(`22 27 0:21 / /proc rw,relatime - proc proc rw
27 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw,discard
31 27 0:30 / /data rw - tmpfs tmpfs rw
32 27 0:31 / /data rw,nosuid,noexec,nodev - tmpfs tmpfs rw
33 27 0:32 / /my\\040dags\\134x rw,noexec - tmpfs tmpfs rw
34 27 0:33 / /data/ro ro,relatime - ext4 /dev/vdb rw
35 27 0:34 / /sys/ro rw,relatime - ext4 /dev/vdc ro

broken line
`);

test("the longest mount point holds a path, and the last of two at one place", () => {
  const at = (path: string) => mountOf(TABLE, path)?.point;
  assert.is(at("/home/x"), "/");
  assert.is(at("/datafile"), "/");
  assert.is(at("/data"), "/data");
  assert.is(at("/data/ro/x"), "/data/ro");
  assert.is(at("/my dags\\x/a"), "/my dags\\x");
  assert.is(mountOf([], "/x"), undefined);
});

test("noexec and read-only are told, of the mount and of the file system", () => {
  const facts = (path: string) => {
    const mount = mountOf(TABLE, path);
    return [mount?.isNoExec, mount?.isReadOnly];
  };
  assert.equal(facts("/x"), [false, false]);
  assert.equal(facts("/data/x"), [true, false]);
  assert.equal(facts("/data/ro/x"), [false, true]);
  assert.equal(facts("/sys/ro/x"), [false, true]);
});

test.run();

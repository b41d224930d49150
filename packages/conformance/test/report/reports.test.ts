import {
  buildReport,
  type CaseVerdict,
  htmlReport,
  loadCases,
  markdownReport,
  readKnownFailing,
  type Tier,
  terminalReport,
} from "@parlance/conformance";
import { throws } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";

const HOSTILE = `<script>alert(1)</script><img src=x onerror=alert(2)> \u001b[31mred\u202e "'\``;
const CASES = loadCases();

function verdict(id: string, outcome: CaseVerdict["outcome"]): CaseVerdict {
  const one = CASES.find((each) => each.id === id);
  if (one === undefined) throw new Error(id);
  const failed = outcome === "failed";
  return {
    case: one,
    version: "2026-06-16",
    outcome,
    findings: failed
      ? [
          {
            about: "logs",
            message: HOSTILE,
            expected: HOSTILE,
            seen: HOSTILE,
            frame: frame(),
            wanted: { state: HOSTILE, type: HOSTILE },
          },
        ]
      : [],
    ...(failed && { evidence: evidence() }),
  };
}

const frame = () =>
  ({
    direction: "to-supervisor",
    atMs: 1,
    id: 1,
    body: { type: HOSTILE },
    hex: "00ff",
    bytes: 2,
  }) as const;

function evidence(): NonNullable<CaseVerdict["evidence"]> {
  return {
    version: "2026-06-16",
    result: { finalState: "failed", exitCode: 1, durationMs: 5 },
    frames: [frame()],
    leftUnanswered: [],
    records: [{ timestamp: null, level: "info", logger: HOSTILE, event: HOSTILE }],
    supervisor: [],
    xcoms: {},
    variables: {},
    seconds: 1,
    late: false,
  };
}

function report(verdicts: readonly CaseVerdict[], level: Tier = "must", known = new Set<string>()) {
  return buildReport({
    kit: "0.1.0",
    argv: ["./my runtime", HOSTILE],
    startedAt: new Date(0),
    seconds: 1,
    level,
    verdicts,
    knownFailing: known,
  });
}

test("what was asked decides: the level, the known failures, and one of them that passes", () => {
  const should = verdict("states/skipped", "failed");
  assert.ok(report([verdict("states/failed", "passed"), should]).passed);
  assert.not(report([verdict("states/failed", "passed"), should], "should").passed);
  assert.not(report([verdict("states/failed", "failed")]).passed);
  assert.not(report([]).passed, "nothing was run");
  const known = new Set(["states/failed"]);
  assert.ok(report([verdict("states/failed", "failed")], "must", known).passed);
  const rotten = report([verdict("states/failed", "passed")], "must", known);
  assert.equal([rotten.passed, rotten.unexpectedPasses], [false, ["states/failed"]]);
});

test("the page shows what a runtime sent as text, under a policy that allows no script", () => {
  const html = htmlReport(report([verdict("states/failed", "failed")]));
  assert.not.match(html, /<script|<img/);
  assert.match(html, "&lt;script&gt;alert(1)");
  assert.not.match(html, "\u001b");
  assert.not.match(html, "\u202e");
  assert.match(
    html,
    /content="default-src 'none'; style-src 'sha256-[\w+/=]+'; base-uri 'none'; form-action 'none'"/,
  );
});

test("the page shows the frame that was expected beside the one that came, a frame that never came too", () => {
  const html = htmlReport(report([verdict("states/failed", "failed")]));
  assert.match(html, /expected frame<\/dt><dd>\{\n {2}&quot;state&quot;: &quot;&lt;script&gt;/);
  assert.match(html, /seen frame<\/dt><dd>\{\n {2}&quot;type&quot;/);
  const one = report([verdict("states/failed", "failed")]);
  const [failed] = one.cases;
  const [{ frame: _, ...finding } = { about: "", message: "" }] = failed?.findings ?? [];
  const never = { ...one, cases: [{ ...failed, findings: [finding] }] } as typeof one;
  assert.match(htmlReport(never), "seen frame</dt><dd>no such frame</dd>");
});

test("a case that can't be asked of a runtime is told with its reason, in every form", () => {
  const asked = verdict("states/failed", "not-applicable");
  const one = report([{ ...asked, reason: "the command is no bundle <b>" }]);
  assert.is(one.tiers.must.notApplicable, 1);
  assert.match(htmlReport(one), "not applicable: the command is no bundle &lt;b&gt;");
  assert.match(markdownReport(one), "- `states/failed`: the command is no bundle");
  assert.match(markdownReport(one), "| MUST | 0 | 0 | 0 | 0 | 1 |");
});

test("the other forms carry no control character, and no way out of the quotes", () => {
  const one = report([verdict("states/failed", "failed")]);
  for (const text of [terminalReport(one), markdownReport(one)]) {
    assert.not.match(text, "\u001b");
    assert.not.match(text, "\u202e");
  }
  assert.match(markdownReport(one), /- logs: `[^`]*`$/m);
});

test("the command that runs a case again is one that a shell takes", () => {
  const [one] = report([verdict("states/failed", "failed")]).cases;
  assert.match(
    one?.again ?? "",
    "--case states/failed --schema-version 2026-06-16 -- './my runtime'",
  );
});

test("a list of known failures: ids, beginnings, comments; an id that is none is an error", () => {
  const ids = ["a/b", "a/c", "d/e"];
  assert.equal([...readKnownFailing("# why\na/*  # both\n\r\n", ids)], ["a/b", "a/c"]);
  assert.match(
    throws(() => readKnownFailing("d/e\nx/y", ids)).message,
    'line 2: there is no case "x/y"',
  );
});

test.run();

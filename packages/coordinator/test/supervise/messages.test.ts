import { MemoryTaskStore, seedStore } from "@parlance/coordinator";
import { CATALOGUE, REPLIES, UNHANDLED_REQUESTS } from "@parlance/protocol";
import { validateBody } from "@parlance/protocol/validate";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { REQUEST_HANDLERS } from "../../dist/supervise/request-handlers.js";
import { badBodies } from "../support/bad-bodies.js";
import { CASES, CASES_SINCE_3_4, type MessageCase } from "../support/message-cases.js";
import { detailOf, ID, withPeer } from "../support/with-peer.js";

const VERSIONS = ["2026-06-16", "2026-10-30"] as const;
const CASES_OF: { readonly [V in (typeof VERSIONS)[number]]: readonly MessageCase[] } = {
  "2026-06-16": CASES,
  "2026-10-30": [...CASES_SINCE_3_4, ...CASES],
};

async function newStore(): Promise<MemoryTaskStore> {
  const store = new MemoryTaskStore();
  await seedStore(store, {
    connections: { c: { conn_type: "http", password: "pw-of-c" } },
    assets: [{ name: "known", uri: "s3://known", aliases: ["alias"] }],
    asset_events: [{ name: "known", uri: "s3://known", timestamp: "2026-06-01T00:00:00Z" }],
  });
  return store;
}

for (const version of VERSIONS) {
  test(`${version}: every message has a handler and a case, and no other has`, () => {
    const types = [...CATALOGUE[version]["to-supervisor"]];
    const cases = new Set(CASES_OF[version].map(([{ type }]) => type));
    assert.equal([...cases].sort(), types.sort());
    for (const type of types) assert.ok(Object.hasOwn(REQUEST_HANDLERS, type), type);
    if (version === "2026-10-30") assert.equal(Object.keys(REQUEST_HANDLERS).sort(), types);
  });

  test(`${version}: a good body gets the answer that stock gives, in its slot`, async () => {
    const store = await newStore();
    await withPeer(
      version,
      async (ask) => {
        for (const [request, expected] of CASES_OF[version]) {
          const answer = await ask(request);
          const said = `${JSON.stringify(request)}: ${JSON.stringify(answer)}`;
          if (typeof expected === "object" && expected !== null && "status" in expected) {
            assert.is(answer.body, null, said);
            assert.is(detailOf(answer).status_code, expected.status, said);
            assert.is(answer.error?.["error"], "API_SERVER_ERROR");
            assert.ok(validateBody(version, "to-task", answer.error).valid, said);
            continue;
          }
          assert.is(answer.error, null, said);
          const reply = REPLIES[request.type as keyof typeof REPLIES];
          if (expected === null) {
            assert.is(answer.body, null, said);
            assert.is(reply.type, null, request.type);
            continue;
          }
          const valid = validateBody(version, "to-task", answer.body);
          assert.ok(valid.valid, `${said} ${JSON.stringify(valid)}`);
          if (typeof expected === "string") {
            assert.is(answer.body?.["type"], expected, said);
            assert.is(reply.type, expected);
          } else {
            assert.is(answer.body?.["error"], expected.inBody, said);
            assert.ok((reply.errors as readonly unknown[]).includes(expected.inBody));
          }
        }
      },
      { store },
    );
  });

  test(`${version}: a bad body of every message is answered in the error slot and changes nothing`, async () => {
    const store = await newStore();
    let bodies = 0;
    await withPeer(
      version,
      async (ask, peer) => {
        const before = JSON.stringify(await store.dump());
        for (const type of CATALOGUE[version]["to-supervisor"]) {
          const [good] = CASES_OF[version].find(([request]) => request.type === type) ?? [];
          assert.ok(good);
          const bad = badBodies(version, good);
          assert.ok(bad.length >= (type === "ResendLoggingFD" ? 0 : 2), type);
          for (const { body, path, what } of bad) {
            bodies += 1;
            const answer = await ask(body);
            const said = `${type} ${what}: ${JSON.stringify(answer)}`;
            assert.is(answer.body, null, said);
            const { status_code, message, detail } = detailOf(answer);
            assert.is(status_code, 422, said);
            assert.ok(message.startsWith(`${type} is not valid in schema ${version}: `), said);
            assert.ok(
              detail.some((fault) => fault.path === path && fault.message !== ""),
              `${path} of ${said}`,
            );
            assert.ok(validateBody(version, "to-task", answer.error).valid, said);
          }
          assert.is(JSON.stringify(await store.dump()), before, type);
        }
        assert.is(peer.attempt.terminal, undefined);
        assert.is(peer.masker.maskText("hidden-value"), "hidden-value");
      },
      { store },
    );
    assert.ok(bodies > 400, `${bodies} bad bodies`);
  });

  test(`${version} strictAirflow: what stock leaves without an answer is left without one`, () =>
    withPeer(
      version,
      async (ask, { socket, unanswered, store }) => {
        const { encodeRequestFrame } = await import("@parlance/framing");
        const bodies = [
          null,
          {},
          { type: "Nonsense" },
          { type: "GetVariable" },
          { type: "PutVariable", key: "k", value: "v" },
          { type: "TaskState", state: "success" },
          { type: "DagFileParsingResult", fileloc: "/d.py", serialized_dags: [] },
          { type: "SucceedTask", end_date: "2026-01-02T03:04:05" },
        ];
        for (const body of bodies) socket.write(encodeRequestFrame({ id: 77, body }));
        assert.is(
          (await ask({ type: "GetVariable", key: "k" })).body?.["error"],
          "VARIABLE_NOT_FOUND",
        );
        assert.is(unanswered.length, bodies.length, unanswered.join("\n"));
        assert.match(unanswered[3] as string, /GetVariable is not valid .*\/key/);
        assert.equal(await store.variables.keys(), []);
        const write = { type: "SetAssetStateStoreByName", name: "a", key: "s", value: 1 };
        assert.is(detailOf(await ask(write)).status_code, 404);
        const hitl = { type: "CreateHITLDetailPayload", ti_id: ID, options: ["a"], subject: "?" };
        assert.is(detailOf(await ask(hitl)).status_code, 422);
        const fds = await ask({ type: "ResendLoggingFD" });
        assert.equal(fds.body, { type: "SentFDs", fds: [0] });
        for (const type of UNHANDLED_REQUESTS) {
          const [body] = CASES.find(([request]) => request.type === type) ?? [];
          assert.is(detailOf(await ask(body ?? null)).message, "Unhandled request");
        }
      },
      { strictAirflow: true },
    ));
}

test.run();

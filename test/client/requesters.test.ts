import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient } from "../../src/client/index.ts";
import { addTokenAtSetUp } from "../../src/gate/people/tokens.ts";
import { type Served, served } from "../http/served.ts";
import { opened, refusalFrom } from "../library/gates.ts";

const POLICY = `version: 1
tools: { pay: { class: db.write } }
tiers: { pay: ask }
reviewers: [ana, ben]
`;

let on: Served;
beforeAll(async () => {
  on = await served({ policy: POLICY });
});
afterAll(() => on.remove());

async function gateOf(holder: Parameters<Served["token"]>[0]) {
  return createClient({ url: on.url, token: await on.token(holder) });
}

test("an agent cannot say who requested its work, and is told which token can", async () => {
  const gate = await gateOf({ agent: "shop" });
  const refused = await refusalFrom(
    gate.as({ requestedBy: "ben" }, () => gate.submit({ tool: "pay", args: { n: 1 } })),
  );
  expect([refused.code, refused.reason, refused.hint]).toEqual([
    "LEEWAY_BAD_INPUT",
    "requestedBy: an agent cannot tell a server who asked for its work",
    "leave it out, or use a token that an admin made with `leeway tokens add --agent NAME --can name-requesters`",
  ]);
  await gate.close();
});

test("a token that may name requesters names the person of a call, who then may not review it", async () => {
  const gate = await gateOf({ agent: "shop", can: "name-requesters" });
  const { approvalId = "", digest } = await gate.as({ requestedBy: "ana" }, () =>
    gate.submit({ tool: "pay", args: { n: 2 } }),
  );
  const ana = await gateOf({ person: "ana", can: "approve" });
  const view = await ana.approvals.get(approvalId);
  expect(view.requestedBy).toBe("ana");
  const refused = await refusalFrom(ana.review(approvalId, { by: "ana", verdict: "approve", digest }));
  expect(refused.code).toBe("LEEWAY_SELF_REVIEW");
  await gate.close();
  await ana.close();
});

test("a token for an agent cannot get the rights of a person's token, and the other way round", async () => {
  const cookie = await on.signIn();
  const made = async (body: object) => (await on.ask("POST", "/v1/tokens", { cookie, body })).status;
  expect([
    await made({ agent: "shop", can: "name-requesters" }),
    await made({ agent: "shop", can: "approve" }),
    await made({ person: "ana", can: "name-requesters" }),
  ]).toEqual([201, 400, 400]);
});

test("a token that may name requesters always needs a person, also while a program sets the gate up", async () => {
  const { deps } = await opened();
  const made = async (holder: Parameters<typeof addTokenAtSetUp>[1]) => {
    const done = await addTokenAtSetUp(deps, holder);
    return done.ok ? "made" : done.code;
  };
  expect([await made({ agent: "shop", can: "name-requesters" }), await made({ agent: "shop" })]).toEqual([
    "LEEWAY_ASSURANCE",
    "made",
  ]);
});

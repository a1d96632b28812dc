import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Checks, conformanceTo, lostIn, passCount } from "./conformance.ts";
import { type Command, overHttp, type Ways, waysTo } from "./through.ts";

// The official conformance suite, against a server that is made for it, and against the command `leeway mcp` in front of that
// server, with the settings that a person has: for the newest protocol with sessions, and for the one without.

/** The suite speaks HTTP only, so a program between them speaks HTTP with it and pipes with the server. */
const ERAS = [
  { revision: "2025-11-25", server: "conformance-server.mjs", bridge: "conformance-bridge.mjs", fewest: 70 },
  {
    revision: "2026-07-28",
    server: "conformance-newer-server.mjs",
    bridge: "conformance-newer-bridge.mjs",
    fewest: 120,
  },
] as const;

/** Checks that pass directly and that the suite leaves out through the gateway (`INFO`), each with the reason. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  "server-sse-multiple-streams: server-sse-streams-functional":
    "only for responses that are streams; the gateway answers a quick request with JSON, as the protocol allows",
};

/** A tool whose name says that it changes something is known only if it is named itself. */
const POLICY = `version: 1
tier: auto
tools:
  "mcp:conformance/*": { class: none }
  "mcp:conformance/test_trigger_tool_change": { class: none }
  "mcp:conformance/test_trigger_prompt_change": { class: none }
`;
const ALLOWED = { allowSampling: true, allowElicitation: true };

for (const { revision, server, bridge, fewest } of ERAS) {
  const suite = conformanceTo(revision);
  const [program, between] = [server, bridge].map((name) => fileURLToPath(new URL(name, import.meta.url))) as [
    string,
    string,
  ];
  let ways: Ways;
  beforeAll(async () => {
    ways = await waysTo("conformance", () => [program], POLICY, ALLOWED);
    await ways.accept();
  });
  afterAll(() => {
    suite.remove();
    ways.remove();
  });

  const lost = (direct: Checks, through: Checks) => {
    expect(passCount(direct)).toBeGreaterThanOrEqual(fewest);
    return lostIn(direct, through, LEFT_OUT);
  };

  test(`whatever passes the official conformance suite for ${revision} directly also passes it through \`leeway mcp --http\``, async () => {
    const direct = await suite.addressOf([program, "http"], { env: ways.env, cwd: ways.folder });
    const served = await overHttp(ways);
    const through = await suite.withToken(served.url, served.token);
    expect(lost(await suite.checksAt(direct), await suite.checksAt(through))).toEqual([]);
    expect(await served.stop()).toBe(0);
  });

  test(`whatever passes the official conformance suite for ${revision} directly also passes it through \`leeway mcp\` over pipes`, async () => {
    const bridged = ({ command, args, env, cwd }: Command) =>
      suite.addressOf([between, command, ...args], { env, cwd });
    const [direct, through] = [await bridged(ways.direct), await bridged(ways.through)];
    expect(lost(await suite.checksAt(direct), await suite.checksAt(through))).toEqual([]);
  });
}

import { expect, test } from "vitest";
import { hasChannel, withChannel, withoutChannel } from "./channel-edit.ts";

const FILE = `# ours
version: 1 # the only one
preset: standard

# asked first
tiers: { publish: ask } # people read it
approvals:
  selfReview: true
`;

test("a channel is added at the end, and the text before it stays exactly the same", () => {
  expect(withChannel(FILE, "slack", { botToken: "env:SLACK_BOT_TOKEN", chat: "C1" })).toBe(
    `${FILE}channels:\n  slack:\n    botToken: env:SLACK_BOT_TOKEN\n    chat: C1\n`,
  );
});

test("a second channel is written after the first, and comments and order are kept", () => {
  const one = `${FILE}channels:\n  # for the team\n  slack:\n    botToken: env:SLACK_BOT_TOKEN\nlimits: []\n`;
  expect(withChannel(one, "webhook", { url: "https://example.com/x?a=1", secret: ["env:A", "env:B"] })).toBe(
    `${FILE}channels:
  # for the team
  slack:
    botToken: env:SLACK_BOT_TOKEN
  webhook:
    url: https://example.com/x?a=1
    secret:
      - env:A
      - env:B
limits: []
`,
  );
});

test("a channel can be added to an empty map of channels", () => {
  for (const empty of ["channels:\n", "channels: {}\n"])
    expect(withChannel(`version: 1\n${empty}`, "terminal", { language: "zh" })).toBe(
      "version: 1\nchannels:\n  terminal:\n    language: zh\n",
    );
});

test("removing a channel leaves the others, and removing the last leaves the file as it was before", () => {
  const one = withChannel(FILE, "slack", { botToken: "env:SLACK_BOT_TOKEN" });
  const two = withChannel(one, "terminal", { language: "en" });
  expect(withoutChannel(two, "terminal")).toBe(one);
  expect(withoutChannel(one, "slack")).toBe(FILE);
  expect([hasChannel(two, "slack"), hasChannel(one, "terminal"), hasChannel("", "slack")]).toEqual([
    true,
    false,
    false,
  ]);
});

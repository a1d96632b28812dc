import { expect, test } from "vitest";
import { CHANNEL_KINDS } from "../channel.ts";
import { channelFields, channelLines, typedSecret } from "./channel-fields.ts";

test("every key of every channel can be filled in, and the shape of the policy says how", () => {
  for (const kind of CHANNEL_KINDS) expect(channelFields(kind).length).toBeGreaterThan(0);
  const summary = channelFields("webhook").map(({ key, required, secret, many, flag }) => ({
    key,
    is: [required && "required", secret && "secret", many && "many", flag && "flag"].filter((word) => word !== false),
  }));
  expect(summary).toEqual([
    { key: "url", is: ["required"] },
    { key: "secret", is: ["required", "secret", "many"] },
    { key: "nearby", is: ["flag"] },
    { key: "language", is: [] },
  ]);
  expect(channelFields("feishu").find(({ key }) => key === "domain")?.words).toEqual(["feishu", "lark"]);
});

test("what is a secret, or looks like one, is found in every key", () => {
  expect(typedSecret("slack", { botToken: "env:SLACK_BOT_TOKEN", chat: "C1" })).toBeUndefined();
  expect(typedSecret("slack", { botToken: "hunter2" })).toEqual({ key: "botToken", is: "no place" });
  expect(typedSecret("slack", { chat: "xoxb-1234567890-abcdefghijklmnopqrstuvwx" })).toEqual({
    key: "chat",
    is: "looks secret",
  });
  expect(typedSecret("email", { smtp: "smtps://ana:hunter2@mail.example.com" })).toEqual({
    key: "smtp",
    is: "looks secret",
  });
});

test("values that YAML would read as something else are quoted", () => {
  expect(
    channelLines("email", { from: "Leeway <a@b.c>", smtp: "smtps://h:465", user: "true", password: "env:P" }),
  ).toBe(
    `channels:
  email:
    from: "Leeway <a@b.c>"
    smtp: smtps://h:465
    user: "true"
    password: env:P
`,
  );
  expect(channelLines("terminal", {})).toBe("channels:\n  terminal: {}\n");
});

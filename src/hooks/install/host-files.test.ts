import { expect, test } from "vitest";
import { hostFiles } from "./host-files.ts";

const COMMAND = { program: "/usr/bin/node", args: ["/opt/leeway.cjs", "hook", "claude-code"] };

const AT = { home: "/home/ana", project: "/project", env: {} };

/** The first file of a host, with the hook put in and taken out. */
function settingsOf(host: string) {
  const [file] = hostFiles(host, "project", AT);
  if (file === undefined) throw new Error(`${host} has no file`);
  return file;
}

const withHook = (host: string, before: string, command: typeof COMMAND) =>
  settingsOf(host).withHook(before, command, {});
const withoutHook = (host: string, before: string) => {
  const out = settingsOf(host).withoutHook(before);
  return out.ok ? { ...out, after: out.after ?? "" } : out;
};

const THEIRS = `{
  // my settings
  "model": "opus", // the best
  "hooks": {
    "PreToolUse": [
      { "matcher": "Bash", "hooks": [{ "type": "command", "command": "mine.sh" }] }
    ]
  }
}
`;

function installed(before: string) {
  const made = withHook("claude-code", before, COMMAND);
  if (!made.ok) throw new Error(made.why);
  return made;
}

const dangersIn = (host: string, text: string) => settingsOf(host).dangers(text);

test("the hook is added beside others, with comments and order kept", () => {
  const { after } = installed(THEIRS);
  expect(after).toContain("// my settings");
  expect(after).toContain('"model": "opus", // the best');
  expect(after).toContain("mine.sh");
  const { hooks } = JSON.parse(after.replaceAll(/\/\/ .*/g, ""));
  expect(Object.keys(hooks)).toEqual(["PreToolUse", "PostToolUse", "PostToolUseFailure", "SessionEnd"]);
  expect(hooks.PreToolUse[1].hooks).toEqual([
    {
      type: "command",
      command: "/usr/bin/env",
      args: [
        ..."-u BASH_ENV -u ENV -u SHELLOPTS -u BASHOPTS -u PS4 /bin/sh -c".split(" "),
        'exec /usr/bin/env -i LEEWAY_HOST_VARIABLES="$(/usr/bin/env)" "$@"',
        ..."leeway /usr/bin/node /opt/leeway.cjs hook claude-code --timeout 600".split(" "),
      ],
      timeout: 600,
      onFailure: "block",
    },
  ]);
});

test("to install twice changes nothing the second time", () => {
  const { after } = installed(THEIRS);
  expect(installed(after)).toEqual({ ok: true, after });
});

test("to take it out leaves what others wrote", () => {
  const out = withoutHook("claude-code", installed(THEIRS).after);
  expect(out.ok && JSON.parse(out.after.replaceAll(/\/\/ .*/g, ""))).toEqual(
    JSON.parse(THEIRS.replaceAll(/\/\/ .*/g, "")),
  );
  const alone = withoutHook("claude-code", installed("").after);
  expect(alone.ok && JSON.parse(alone.after)).toEqual({});
});

test("settings that switch hooks off are named", () => {
  const text =
    '{ "disableAllHooks": true, "allowManagedHooksOnly": true, "permissions": { "defaultMode": "bypassPermissions" } }';
  expect(dangersIn("claude-code", text)).toHaveLength(3);
  expect(dangersIn("gemini", '{ "hooksConfig": { "enabled": false, "disabled": ["leeway"] } }')).toEqual([
    { off: expect.stringContaining("`hooksConfig.enabled`") },
    { off: expect.stringContaining("`hooksConfig.disabled`") },
    expect.stringContaining("only after you have trusted this folder"),
  ]);
});

test.each([
  ["not JSON", '{ "hooks": '],
  ["a list", "[]"],
  ["hooks that are a list", '{ "hooks": [] }'],
  ["hooks that stand twice", '{ "hooks": {}, "model": "x", "hooks": { "Stop": [] } }'],
  ["hooks that stand twice, once in another spelling", '{ "hooks": {}, "\\u0068ooks": {} }'],
  ["an event that stands twice", '{ "hooks": { "PreToolUse": [], "PreToolUse": [] } }'],
  ["an event that is no list", '{ "hooks": { "PreToolUse": {} } }'],
])("settings that cannot be changed safely are left alone: %s", (_, text) => {
  expect(withHook("claude-code", text, COMMAND)).toEqual({ ok: false, why: expect.stringMatching(/\w/) });
});

test("the place of the program may have changed since: the old hook is replaced, not doubled", () => {
  const old = installed(THEIRS).after;
  const made = withHook("claude-code", old, { ...COMMAND, program: "/usr/local/bin/node" });
  expect(made.ok && made.after.match(/"claude-code"/g)?.length).toBe(4);
  expect(made.ok && made.after).toContain("/usr/local/bin/node");
});

test("Gemini's settings get its own events, with the words quoted for its shell", () => {
  const made = withHook("gemini", "", { program: "/usr/bin/my node", args: ["/opt/leeway.cjs", "hook", "gemini"] });
  const { hooks } = JSON.parse(made.ok ? made.after : "{}");
  expect(Object.keys(hooks)).toEqual(["BeforeTool", "AfterTool", "SessionEnd"]);
  expect(hooks.BeforeTool[0].hooks[0].command).toMatch(
    /^\/usr\/bin\/env -u .* \/bin\/sh -c '.*' leeway '\/usr\/bin\/my node' \/opt\/leeway.cjs hook gemini --timeout 600 \|\| \{ \[ \$\? = 2 \] \|\| echo '.*' >&2; exit 2; \}$/,
  );
  expect(hooks.AfterTool[0].hooks[0].command).toMatch(/' leeway '\/usr\/bin\/my node' \/opt\/leeway.cjs hook gemini$/);
});

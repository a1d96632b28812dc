#!/usr/bin/env node
const { existsSync } = require("node:fs");
const { join } = require("node:path");

const folder = join(__dirname, "..", "dist", "program");
if (!existsSync(join(folder, "main.cjs"))) {
  process.stderr.write(
    "leeway: this clone is not built yet\n  hint: run `node tools/setup.mjs` in it, which installs what is needed and builds\n",
  );
  process.exit(process.argv[2] === "hook" ? 2 : 1);
}
const args = process.argv.slice(2);
/** Loaded only where the program itself is needed. */
const run = (words, input) => require("./load.cjs").loadProgram(folder).main(words, input);
// As Node itself ends a program that waits for nothing and has no answer: never as if it had been a good one. A host
// runs the call unless its hook ends with 2.
process.exitCode = args[0] === "hook" ? 2 : 13;

/**
 * Variables that say which gate decides. Some hosts let the files of a project set variables for their hooks, so an
 * installed hook carries them itself (`--env`), and what the host has is not used.
 */
const SETTINGS = [
  ...["HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "LEEWAY_DB", "LEEWAY_POLICY", "LEEWAY_WORKSPACE"],
  ...["LEEWAY_URL", "LEEWAY_TOKEN", "LEEWAY_TOKEN_FILE", "LEEWAY_RESIDENT"],
];

/** `hook HOST [--env NAME=VALUE]… [--timeout SECONDS]`, as hosts start it. Whatever is written otherwise, the program reads. */
function hookIn([command, host = "-", ...options]) {
  if (command !== "hook" || host.startsWith("-")) return undefined;
  const hook = { host, timeout: undefined, env: [] };
  for (let at = 0; at < options.length; at += 2) {
    const [option, value = ""] = options.slice(at, at + 2);
    if (option === "--timeout" && /^[1-9]\d{0,5}$/.test(value)) hook.timeout = value;
    else if (option === "--env" && SETTINGS.some((name) => value.startsWith(`${name}=`))) hook.env.push(value);
    else return undefined;
  }
  return hook;
}

async function answered() {
  const hook = hookIn(args);
  if (hook === undefined) return run(args);
  if (hook.env.length > 0) for (const name of SETTINGS) delete process.env[name];
  for (const one of hook.env) process.env[one.slice(0, one.indexOf("="))] = one.slice(one.indexOf("=") + 1);
  const input = await require("./ask-resident.cjs").askResident(hook, __filename);
  if (input === undefined) return process.exitCode;
  const timed = hook.timeout === undefined ? [] : ["--timeout", hook.timeout];
  return run(["hook", hook.host, ...timed], input);
}

const ELSEWHERE = "change to another folder, and start it again";

answered().then(
  (code) => {
    process.exitCode = code;
  },
  (error) => {
    const isGone = error.syscall === "uv_cwd";
    const said = isGone
      ? `the folder in which this was started is not there any more\n  hint: ${ELSEWHERE}`
      : error.message;
    process.stderr.write(`leeway: ${said}\n`);
    process.exit(args[0] === "hook" ? 2 : 1);
  },
);

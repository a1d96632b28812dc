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
let variables = process.env;
/** Loaded only where the program itself is needed. */
const run = (words, input) => require("./load.cjs").loadProgram(folder).main(words, input, variables);
// As Node itself ends a program that waits for nothing and has no answer: never as if it had been a good one. A host
// runs the call unless its hook ends with 2.
process.exitCode = args[0] === "hook" ? 2 : 13;

/**
 * The variables of this program. An installed hook has none but `LEEWAY_HOST_VARIABLES`, the text of those that its host has
 * (`withoutVariables` in `src/hooks/install/command.ts` says why). They stay a value: what Node, or a program that it starts, reads
 * from the environment by itself gets only those by which nothing is loaded.
 */
function variablesOf(environment) {
  const { LEEWAY_HOST_VARIABLES: text, ...own } = environment;
  if (text === undefined) return environment;
  const found = text.startsWith("{") ? JSON.parse(text) : variablesIn(text);
  if (found.PATH === undefined) throw new Error("the variables of the host could not be read");
  delete environment.LEEWAY_HOST_VARIABLES;
  for (const name of HARMLESS) if (found[name] !== undefined) environment[name] = found[name];
  return { ...found, ...own };
}

const HARMLESS = ["HOME", "PATH", "TZ", "LANG", "LC_ALL"];

/**
 * Lines of `NAME=value`; other lines belong to the value before. A value may contain a line that looks like another variable, and then
 * nobody can say which of two is meant.
 */
function variablesIn(text) {
  const found = Object.create(null);
  let last;
  for (const line of text.split("\n")) {
    const at = /^[A-Za-z_]\w*=/.test(line) ? line.indexOf("=") : -1;
    if (at === -1 && last !== undefined) found[last] += `\n${line}`;
    if (at === -1) continue;
    last = line.slice(0, at);
    const value = line.slice(at + 1);
    if (last in found && found[last] !== value)
      throw new Error(
        `the variables of the host have ${last} twice: start the host without a variable that has this name in its text`,
      );
    found[last] = value;
  }
  return { ...found };
}

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
  variables = variablesOf(process.env);
  const hook = hookIn(args);
  if (hook === undefined) return run(args);
  if (hook.env.length > 0) for (const name of SETTINGS) delete variables[name];
  for (const one of hook.env) variables[one.slice(0, one.indexOf("="))] = one.slice(one.indexOf("=") + 1);
  const input = await require("./ask-resident.cjs").askResident({ ...hook, variables }, __filename);
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

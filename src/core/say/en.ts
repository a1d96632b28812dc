import type { EffectClass } from "../effect.ts";
import { textOf } from "../messages/text.ts";
import { formatDuration } from "../values/duration.ts";
import { sizeText } from "../values/size.ts";
import type { ChangeCounts, Does, Say } from "./say.ts";

/** `…` is replaced by what the part acts on; `alone` is used where no target is named. */
const does = (text: string, alone: string): Does => ({ to: (what) => text.replace("…", () => what), alone });

const DOES: { readonly [C in EffectClass]: Does } = {
  none: does("changes nothing …", "changes nothing"),
  "fs.read": does("reads …", "only reads"),
  "fs.write": does("writes …", "writes files"),
  "fs.mkdir": does("creates …", "creates folders"),
  "fs.copy": does("copies …", "copies files"),
  "fs.move": does("moves …", "moves files"),
  "fs.delete": does("deletes …", "deletes something"),
  "process.exec": does("runs …", "runs code that Leeway does not examine"),
  "host.call": does("calls a function of the host …", "calls a function of the host"),
  "store.write": does("changes the agent's store …", "changes the agent's store"),
  "metadata.write": does("changes metadata …", "changes metadata"),
  "checkpoint.write": does("changes checkpoints …", "changes checkpoints"),
  "agent_state.write": does("changes what the agent remembers …", "changes what the agent remembers"),
  "mcp.release": does("releases an MCP server …", "releases an MCP server"),
  "network.read": does("fetches from …", "reads from the network"),
  "network.write": does("sends data to …", "sends data over the network"),
  "network.sse.write": does("sends events to listeners …", "sends events to listeners"),
  "git.write": does("changes the git repository in …", "changes the git repository"),
  "message.send": does("sends a message through …", "sends a message"),
  "db.read": does("reads from the database at …", "reads from the database"),
  "db.write": does("changes the database at …", "changes the database"),
  "browser.read": does("looks at a page at …", "looks at a page"),
  "browser.act": does("acts in the browser at …", "acts in the browser"),
  "agent.spawn": does("starts another agent with …", "starts another agent"),
  "schedule.write": does("changes scheduled tasks in …", "changes scheduled tasks"),
  "deploy.write": does("changes what is built or deployed: …", "publishes or changes a deployment"),
  "payments.move": does("moves money through …", "moves money"),
  "secrets.read": does("reads keys or credentials in …", "reads keys or credentials"),
  "permissions.change": does("changes what agents or programs may do: …", "changes rights"),
  unknown: does("does something that Leeway does not know with …", "does something that Leeway does not know"),
};

const RUNS = {
  plainly: () => "",
  idly: (many: boolean) => `, which ${many ? "change" : "changes"} nothing`,
  reading: (many: boolean) => `, which only ${many ? "read" : "reads"}`,
  "as another": () => ", as another user",
} as const;

const withSet = (env: readonly string[]) => (env.length === 0 ? "" : ` with ${env.join(", ")} set`);

export const EN: Say = {
  does: DOES,
  and: (first, second) => `${first} and ${second}`,
  andMore: (first, more, of) => `${first} and ${more} more ${of}`,
  joined: (clauses) => clauses.join("; "),
  fromTo: (from, to) => `${from} to ${to}`,
  projectFolder: "the project folder",
  filesUnder: (count, of, folder) =>
    `${count} ${of} ${folder === undefined ? "in different places" : `under ${folder}`}`,
  withBelow: (what, many) => `${what} and everything ${many ? "in them" : "below"}`,
  withMethod: (done, method) => `${done} (${method})`,
  outside: (done) => `${done}, outside this machine`,
  outsideToo: (done) => `${done}, and outside this machine`,
  lasting: (done) => `${done}, cannot be undone`,
  by: (done, run) => `${done} with ${run}`,
  runs: ({ run, many }, manner) => `runs ${run}${RUNS[manner](many)}`,
  runsOn: (domains) => `runs commands on ${domains}`,
  links: "makes a link",
  calls: (tool, what) =>
    `calls ${tool}; Leeway does not know what this tool does${what === undefined ? "" : ` with ${what}`}`,
  starts: "starts the commands that follow",
  startsAsAnother: "starts the commands that follow, as another user",
  amount: (done, amounts, currency) => `${done}: ${amounts.join(", ")}${currency === undefined ? "" : ` ${currency}`}`,
  noAmount: (done) => `${done}, no amount given`,
  sendsTo: (done, to) => `${done} to ${to}`,

  title: ({ agent, above, owner, tool }) => {
    const whose = owner === undefined ? "no owner" : `${owner}'s agent`;
    const who = above === undefined ? `${agent} (${whose})` : `${agent}, a sub-agent of ${above} (${whose}),`;
    return `${who} asks to use ${tool}`;
  },
  inFull: (of, name) => `${of === "above" ? "agents above it" : of} in full: ${name}`,
  size: (bytes, digest) => `${bytes} bytes of arguments, ${digest}`,
  note: (note) => textOf(note, "en"),
  understood: {
    fully: "fully understood",
    command: "the command is understood, but not the code that it runs",
    partly: "only partly understood",
    not: "not understood",
  },
  holdsHidden: (name) => `careful: ${name} contains invisible characters`,
  mixes: (name, scripts) => `careful: ${name} mixes ${scripts.join(" and ")} letters`,
  argumentsHide: "careful: the arguments contain invisible characters",
  quorum: (approved, needed) => `${approved} of ${needed} ${needed === 1 ? "approval" : "approvals"} so far`,
  wordsCut: (count) => `(${count} more characters of the agent's words are not shown)`,
  where: (folders, env) => `${folders.length === 0 ? "" : ` in ${folders.join(" or ")}`}${withSet(env)}`,
  folderUnknown: "an unknown folder",
  target: (name, { env = [], folder, below, level }) =>
    `${name}${below === true ? " and everything below" : ""}${withSet(env)}${folder === undefined ? "" : ` in ${folder}`} (${level})`,
  change: (path) => (path === undefined ? "change:" : `change in ${path}:`),
  moreLines: (lines) => `${lines} more lines`,
  stays: (lines) => `${lines} unchanged lines`,
  staysBelow: (lines) => `… ${lines} unchanged lines, shown in full below`,
  sections: {
    targets: "targets",
    parts: "parts",
    steps: "steps of the plan",
    files: "files",
    exactly: "exactly",
    holdsFor: "an approval is valid only while these stay unchanged",
    why: "why you are asked",
    understood: "understood",
    record: "record",
    answerBy: "answer by",
    inFull: "in full",
    says: "the agent's own words (not verified)",
  },
  moreBelow: (count) => `and ${count} more, shown in full below`,
  foldedLetters: (text, more) => `${text}… (${more} more characters, shown in full below)`,

  runsIn: (folder) => `runs in ${folder}`,
  programAt: (name, path) => `${name} is ${path}`,
  startsAt: (programs) => `programs it starts: ${programs.join(", ")}`,
  file: (use, path) => `${FILE_USES[use]} ${path}`,
  fileIs: (done, bytes, hash) => `${done}: ${bytes} bytes, ${hash}`,
  fileTooLarge: (done, bytes) => `${done}: ${bytes} bytes, too large to read`,
  fileUnreadable: (done) => `${done}, which cannot be read`,
  fileMissing: (done) => `${done}, which does not exist yet`,

  cover: {
    whole: ({ class: effectClass, level, by, targets }) =>
      `${targets.length === 0 ? "any target" : targets.join("; ")}${by === undefined ? "" : `, by ${by}`} (${effectClass ?? `any class up to ${level}`})`,
    path: (path, below) =>
      below ? `everything under ${path}/` : `${path} and, if it is a folder, the files directly in it`,
    command: ({ words, rest, folder, isHere }) => {
      const may = {
        none: "",
        any: ", any arguments",
        "after-dashes": ", any arguments after `--`",
        everyday: ", any tests and common options",
        branches: ", any branch or tag by its name, never forced or deleted",
      }[rest];
      return `${rest === "none" ? "exactly " : ""}\`${words}\`${may}${isHere ? ", in this folder" : folder === undefined ? "" : `, in ${folder}`}`;
    },
    tool: (name) => `${name} with any arguments`,
    projectCode: (folder, inBox) =>
      `code in files of the project ${folder}${inBox ? "" : ", without a box"}: tests, builds, scripts, installed packages, also what agents write there`,
    projectContainers: (folder) =>
      `containers of the project ${folder}: build images from its files, start and stop containers, run commands in them; the command itself opens no folder outside of the project and gives no extra rights`,
    containersArePowerful:
      "Nobody reads what an image or a compose file contains. A compose file can give a container any folder of this machine, and with Docker also the rights of root. Agents can write compose files.",
    boxIsBetter:
      "A box is the better answer: code in a box can change only the project and reaches no network, so nobody is asked. `leeway doctor` says what is missing for one.",
    inBox: (covered) => `${covered}, only in a box`,
    exactly: (tool, digest) => `exactly one call of ${tool}: ${digest.slice(0, 19)}…`,
    before: (covered, outOf) => (outOf === 1 ? `${covered} of 1 call so far` : `${covered} of its last ${outOf} calls`),
  },

  plan: {
    lead: (title) => `plan: ${title}`,
    sentence: (covered, steps) =>
      `allows ${covered === steps ? `all ${steps} calls` : `${covered} of the ${steps} calls`} of this plan, once each; nothing runs now`,
    becomes: {
      covered: "allowed once if you approve",
      runs: "needs no approval",
      asks: "asked about separately, when it comes",
      human: "needs a review of its own, when it comes",
      proposed: "only recorded, will not run",
      denied: "denied, will not run",
    },
    allows: (cover) => `allowed once if you approve, and not only this call: ${cover}`,
    changedBy: (step) => `asked about separately, because step ${step} changes a file that it uses`,
    about: (steps, text) => `${steps.length === 1 ? "step" : "steps"} ${steps.join(", ")}: ${text}`,
  },
  changed: {
    lead: (of, command) => `${of === "apply" ? "apply what this changed" : "undo what this changed"}: ${command}`,
    sentence: (of, command, counts, manner) => {
      const does = manner === "would" ? WOULD : DOES_NOW;
      const [first, ...rest] = countsOf(counts, does);
      const said = [...(first === undefined ? [does.changed(0)] : [first]), ...rest];
      const files = said.length === 1 ? said[0] : `${said.slice(0, -1).join(", ")} and ${said.at(-1)}`;
      const who = of === "apply" ? `\`${command}\`` : `undoing \`${command}\``;
      return `${who} ${manner === "would" ? "would " : ""}${files}`;
    },
    command: (command) => `the command: ${command}`,
    project: (folder) => `in the project: ${folder}`,
    added: (what) => `new, ${what}`,
    removed: (what) => `removed, ${what}`,
    emptied: (size) => `emptied, was ${size}`,
    changed: (what) => `changed, ${what}`,
    lines: ({ added, removed }) =>
      [...(added > 0 ? [`${linesText(added)} added`] : []), ...(removed > 0 ? [`${linesText(removed)} removed`] : [])]
        .join(", ")
        .replace(/, (\d+) lines? removed$/, ", $1 removed"),
    binary: (sizes) => `binary, ${sizes}`,
    tooLarge: (sizes) => `too large to show, ${sizes}`,
    mode: (was, now) => `mode ${was} → ${now}`,
    link: (to) => `link to ${to}`,
    wasLink: (to) => `was a link to ${to}`,
    folder: "folder",
    noBreak: "(no line break at the end)",
    unsaved: "no commit has this content",
    inFolder: (counts) => countsOf(counts, IN_FOLDER).join(", "),
  },
  box: {
    is: { ran: "ran in a box", bound: "may run only in a box" },
    walls: ({ write, network, reveal, packages = [], tools, limits = {} }, nameOf) => [
      write.length === 0 ? "can change no files" : `can change ${write.map(nameOf).join(", ")}`,
      network === "any"
        ? "can use the network"
        : network.length === 0
          ? "no network"
          : `can reach ${network.join(", ")}`,
      ...packages.map(({ kind, from }) => `reads ${kind} packages from ${from}`),
      ...(tools === undefined ? [] : ["sees the tools that were installed for boxes of this project"]),
      ...(tools ?? []).map((kind) => `installs ${kind} tools for boxes of this project only`),
      reveal.length === 0 ? "no credentials" : `sees ${reveal.map(nameOf).join(", ")}`,
      ...(limits.memoryBytes === undefined ? [] : [`at most ${sizeText(limits.memoryBytes)} of memory`]),
      ...(limits.processes === undefined ? [] : [`at most ${limits.processes} processes and threads`]),
      ...(limits.timeMs === undefined ? [] : [`at most ${formatDuration(limits.timeMs)}`]),
    ],
    rehearsed: "what it changes is decided about before it is applied; `leeway undo` puts files back, for 7 days",
    refused: (one) => {
      if (one.of === "network") return one.domain === "" ? "a connection" : `a connection to ${one.domain}`;
      if (one.of === "write") return one.path === "" ? "a write" : `a write to ${one.path}`;
      if (one.of === "hidden")
        return `the content of ${one.path}: a file of this name is hidden in the box, so its copy is empty`;
      if (one.of === "uncovered")
        return `${one.path}: somebody replaced this file, and the box could not cover it again, so the program was ended`;
      if (one.of === "change") return `the change of ${one.path}: ${one.why}`;
      return {
        memory: `more than ${sizeText(one.max)} of memory, so the program was ended`,
        processes: `more than ${one.max} processes and threads, so the program was ended`,
        time: `more time than ${formatDuration(one.max)}, so the program was ended`,
        held: `that the program went on after ${formatDuration(one.max)}: it was stopped for a call of the agent program, whose end was never reported, and was ended`,
      }[one.limit];
    },
    changes: (state, files) => {
      const [what, are] = [filesText(files), files === 1 ? "was" : "were"];
      return {
        applied: `${what} ${are} changed`,
        undone: `${what} ${are} changed, and the changes were undone`,
        asked: `${what} would change; a person is asked`,
        waiting: `${what} will change as soon as a program of Leeway applies it`,
        unknown: `${what} may have changed: the process that applied it was ended. The next command in this project completes it or puts everything back`,
        dropped: `${what} would have changed; nothing was applied`,
      }[state];
    },
  },
  accepts: ({ of, name, upstream }) =>
    ({
      start: `Accept how the MCP server ${upstream} is started?`,
      instructions: `Accept what the MCP server ${upstream} tells every model?`,
      tool: `Accept the tool ${name} of the MCP server ${upstream}?`,
    })[of],
  span: (units) => units.map(([count, unit]) => `${count} ${unit}`).join(" "),
  now: "now",
  soon: (span) => `in ${span}`,
  ago: (span) => `${span} ago`,
  closedAlready: (state) => `already ${state}`,
  answerUntil: (until, ahead, then) => {
    const means = {
      run: "if approved, Leeway runs it once, as soon as a program of Leeway that can run this tool is up (`leeway up` or `leeway mcp`)",
      next: "if approved, it runs once, when the agent retries it",
      plan: `if approved, each of the allowed calls may run once before ${"before" in then ? then.before : ""}`,
      on: `if approved, it runs once: now if the agent still waits, or when the agent retries it before ${"before" in then ? then.before : ""}`,
    };
    return `${until} (${ahead}); ${means[then.is]}`;
  },
  noRecord: (effectClass) => `no earlier ${effectClass} calls`,
  record: (effectClass, { asked, well, failed, denied, unanswered, unknown }) => {
    const parts = [
      `${asked} asked`,
      `${well} succeeded`,
      ...(failed > 0 ? [`${failed} failed`] : []),
      ...(denied > 0 ? [`${denied} denied`] : []),
      ...(unanswered > 0 ? [`${unanswered} unanswered`] : []),
      ...(unknown > 0 ? [`${unknown} with an unknown result`] : []),
    ];
    return `${effectClass}: ${parts.join(", ")}`;
  },
};

type CountWords = { readonly [K in keyof ChangeCounts]: (count: number) => string };

const filesText = (count: number) => (count === 1 ? "1 file" : `${count} files`);
const linesText = (count: number) => (count === 1 ? "1 line" : `${count} lines`);
const WOULD: CountWords = {
  changed: (count) => `change ${filesText(count)}`,
  added: (count) => `add ${filesText(count)}`,
  removed: (count) => `remove ${filesText(count)}`,
};
const DOES_NOW: CountWords = {
  changed: (count) => `changes ${filesText(count)}`,
  added: (count) => `adds ${filesText(count)}`,
  removed: (count) => `removes ${filesText(count)}`,
};
const IN_FOLDER: CountWords = {
  changed: (count) => `${filesText(count)} changed`,
  added: (count) => `${filesText(count)} new`,
  removed: (count) => `${filesText(count)} removed`,
};

/** Only what there is; the noun is said once. */
function countsOf(counts: ChangeCounts, words: CountWords): readonly string[] {
  const said = (["changed", "added", "removed"] as const).flatMap((of) =>
    counts[of] === 0 ? [] : [words[of](counts[of])],
  );
  return said.map((text, at) => (at === 0 ? text : text.replace(/ files?\b/, "")));
}

const FILE_USES = {
  program: "runs",
  script: "runs",
  "looked for": "may run",
  changed: "changes",
  shell: "is interpreted by",
} as const;

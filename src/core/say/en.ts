import type { EffectClass } from "../effect.ts";
import { CAUSES_EN } from "./causes-en.ts";
import type { Does, Say } from "./say.ts";

/** What it is done to stands for `…`; the second is said where nothing is named. */
const does = (text: string, alone: string): Does => ({ to: (what) => text.replace("…", () => what), alone });

const DOES: { readonly [C in EffectClass]: Does } = {
  none: does("changes nothing …", "changes nothing"),
  "fs.read": does("reads …", "only reads"),
  "fs.write": does("writes …", "writes files"),
  "fs.mkdir": does("makes …", "makes folders"),
  "fs.copy": does("copies …", "copies files"),
  "fs.move": does("moves …", "moves files"),
  "fs.delete": does("deletes …", "deletes files"),
  "process.exec": does("runs …", "runs code that is not examined"),
  "host.call": does("calls a function of the host …", "calls a function of the host"),
  "store.write": does("changes the agent's store …", "changes the agent's store"),
  "metadata.write": does("changes metadata …", "changes metadata"),
  "checkpoint.write": does("changes checkpoints …", "changes checkpoints"),
  "agent_state.write": does("changes what the agent remembers …", "changes what the agent remembers"),
  "mcp.release": does("releases an MCP server …", "releases an MCP server"),
  "network.read": does("fetches from …", "fetches from elsewhere"),
  "network.write": does("sends data to …", "sends data elsewhere"),
  "network.sse.write": does("sends events to whoever listens …", "sends events to whoever listens"),
  "git.write": does("changes the git repository in …", "changes the git repository"),
  "message.send": does("sends a message through …", "sends a message"),
  "db.read": does("reads from the database at …", "reads from the database"),
  "db.write": does("changes the database at …", "changes the database"),
  "browser.read": does("looks at a page at …", "looks at a page"),
  "browser.act": does("acts in the browser at …", "acts in the browser"),
  "agent.spawn": does("starts another agent with …", "starts another agent"),
  "schedule.write": does("changes what happens later in …", "changes what happens later"),
  "deploy.write": does("changes what is built and shipped in …", "changes what is built and shipped"),
  "payments.move": does("moves money through …", "moves money"),
  "secrets.read": does("reads keys or credentials in …", "reads keys or credentials"),
  "permissions.change": does("changes what agents or programs may do with …", "changes what agents or programs may do"),
  unknown: does("does something that is not known with …", "does something that is not known"),
};

const RUNS = {
  plainly: () => "",
  idly: (many: boolean) => `, which ${many ? "change" : "changes"} nothing`,
  reading: (many: boolean) => `, which only ${many ? "read" : "reads"}`,
  "as another": () => ", with another's rights",
} as const;

const withSet = (env: readonly string[]) => (env.length === 0 ? "" : ` with ${env.join(", ")} set`);

export const EN: Say = {
  does: DOES,
  and: (first, second) => `${first} and ${second}`,
  andMore: (first, more, of) => `${first} and ${more} more ${of}`,
  joined: (clauses) => clauses.join("; "),
  fromTo: (from, to) => `${from} to ${to}`,
  projectFolder: "the project folder",
  filesUnder: (count, of, folder) => `${count} ${of} under ${folder}`,
  withBelow: (what) => `${what} and everything below`,
  withMethod: (done, method) => `${done} (${method})`,
  outside: (done) => `${done}, outside this machine`,
  lasting: (done) => `${done}, cannot be undone`,
  by: (done, run) => `${done} with ${run}`,
  runs: ({ run, many }, manner) => `runs ${run}${RUNS[manner](many)}`,
  starts: "starts what follows",
  startsAsAnother: "starts what follows, with another's rights",
  amount: (done, amounts, currency) => `${done}: ${amounts.join(", ")}${currency === undefined ? "" : ` ${currency}`}`,
  noAmount: (done) => `${done}, no amount named`,
  sendsTo: (done, to) => `${done} to ${to}`,

  title: ({ agent, owner, tool }) => `${agent} (${owner === undefined ? "nobody" : owner}'s agent) asks to use ${tool}`,
  inFull: (of, name) => `${of} in full: ${name}`,
  size: (bytes, digest) => `${bytes} bytes of arguments, ${digest}`,
  note: (text) => text,
  told: (text) => text,
  understood: { fully: "fully understood", partly: "only partly understood", not: "not understood" },
  holdsHidden: (name) => `mind: ${name} holds invisible characters`,
  mixes: (name, scripts) => `mind: ${name} mixes ${scripts.join(" and ")}`,
  argumentsHide: "mind: the arguments hold invisible characters",
  quorum: (approved, needed) => `${approved} of ${needed} ${needed === 1 ? "approval" : "approvals"} so far`,
  wordsCut: (count) => `(${count} more characters of the agent's words are not shown)`,
  where: (folders, env) => `${folders.length === 0 ? "" : ` in ${folders.join(" or ")}`}${withSet(env)}`,
  folderUnknown: "a folder that is not known",
  target: (name, { env = [], folder, below, level }) =>
    `${name}${below === true ? " and everything below" : ""}${withSet(env)}${folder === undefined ? "" : ` in ${folder}`} (${level})`,
  change: (path) => (path === undefined ? "change:" : `change in ${path}:`),
  moreLines: (lines) => `${lines} more lines`,
  stays: (lines) => `${lines} lines stay as they are`,
  staysBelow: (lines) => `… ${lines} lines stay as they are, in full below`,
  sections: {
    targets: "targets",
    parts: "parts",
    exactly: "exactly",
    holdsFor: "a yes holds only while these stay as they are",
    why: "why it is asked",
    understood: "understood",
    record: "record",
    answerBy: "answer by",
    inFull: "in full",
    says: "the agent's own words, not checked by anybody",
  },
  moreBelow: (count) => `and ${count} more, in full below`,
  foldedLetters: (text, more) => `${text}… (${more} more characters, in full below)`,

  runsIn: (folder) => `runs in ${folder}`,
  programAt: (name, path) => `${name} is ${path}`,
  startsAt: (programs) => `what is started: ${programs.join(", ")}`,
  file: (use, path) => `${FILE_USES[use]} ${path}`,
  fileIs: (done, bytes, hash) => `${done}: ${bytes} bytes, ${hash}`,
  fileTooLarge: (done, bytes) => `${done}: ${bytes} bytes, too large to be read`,
  fileUnreadable: (done) => `${done}, which cannot be read`,
  fileMissing: (done) => `${done}, which is not there yet`,

  cover: {
    whole: ({ class: effectClass, level, by, targets }) =>
      `${targets.length === 0 ? "any target" : targets.join("; ")}${by === undefined ? "" : `, by ${by}`} (${effectClass ?? `any class up to ${level}`})`,
    path: (path, below) => (below ? `everything under ${path}/` : `${path} and what lies directly in it`),
    command: ({ words, rest, folder, isHere }) => {
      const may = {
        none: "",
        any: ", any arguments",
        "after-dashes": ", any arguments after `--`",
        everyday: ", any tests and everyday options",
      }[rest];
      return `${rest === "none" ? "exactly " : ""}\`${words}\`${may}${isHere ? ", in this folder" : folder === undefined ? "" : `, in ${folder}`}`;
    },
    tool: (name) => `${name} with any arguments`,
    none: (why) => {
      switch (why.is) {
        case "sub-agent":
          return "a sub-agent made this call, and a grant is for one agent";
        case "not-understood":
          return "what this call does is not fully understood, so nobody can tell which other calls are like it";
        case "no-target":
          return "this call names nothing that a grant could be limited to";
        case "unresolved-path":
          return "the path of a file in this call is not known for certain";
        case "last-star":
          return "the last word of this command is `*`, which a grant would read as any arguments";
        case "needs-human":
          return "this call needs a person's review each time";
        case "no-lift":
          return "the policy asks about this call each time, whatever was granted before";
        case "class":
          return `${why.class} is reviewed each time`;
        case "variables":
          return `the command sets ${why.names.join(", ")}, which can change what the program does`;
        case "launcher":
          return `${why.program === "" ? "this command" : `\`${why.program}\``} can start any other program, so remembering it would allow anything`;
      }
    },
    before: (covered, outOf) => (outOf === 1 ? `${covered} of 1 call so far` : `${covered} of its last ${outOf} calls`),
  },

  causes: CAUSES_EN,

  span: (units) => units.map(([count, unit]) => `${count} ${unit}`).join(" "),
  now: "now",
  soon: (span) => `in ${span}`,
  ago: (span) => `${span} ago`,
  closedAlready: (state) => `it is ${state} already`,
  answerUntil: (until, ahead, then) => {
    const means = {
      run: "approving runs it now",
      next: "approving lets the agent's next try run, once",
      on: `approving lets the waiting call run, or the agent's next try before ${"before" in then ? then.before : ""}, once`,
    };
    return `${until} (${ahead}); ${means[then.is]}`;
  },
  noRecord: (effectClass) => `no earlier ${effectClass}`,
  record: (effectClass, { asked, well, failed, denied, unanswered, unknown }) => {
    const parts = [
      `${asked} asked`,
      `${well} went well`,
      ...(failed > 0 ? [`${failed} failed`] : []),
      ...(denied > 0 ? [`${denied} denied`] : []),
      ...(unanswered > 0 ? [`${unanswered} unanswered`] : []),
      ...(unknown > 0 ? [`${unknown} ended nobody knows how`] : []),
    ];
    return `${effectClass}: ${parts.join(", ")}`;
  },
};

const FILE_USES = {
  program: "runs",
  script: "runs",
  "looked for": "may run",
  changed: "changes",
  shell: "is read by",
} as const;

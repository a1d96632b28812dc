import { expect, test } from "vitest";
import type { ToolCall } from "../../src/core/call.ts";
import { classify } from "../../src/core/classify/classify.ts";
import { NOTHING_DECLARED } from "../../src/core/classify/known-tool.ts";
import { readCall } from "../../src/core/classify/reading.ts";
import type { Effect, Part, Target } from "../../src/core/effect.ts";
import { type Card, type CardInput, cardOf } from "../../src/core/show/card.ts";
import { renderHtml } from "../../src/core/show/render-html.ts";
import { renderText } from "../../src/core/show/render-text.ts";
import { wrap } from "../../src/core/values/text.ts";
import { FORGERIES } from "./forgeries.ts";

const WIDTH = 80;
const SCREEN = 24;

const CALL: ToolCall = {
  workspace: "default",
  agent: "coder",
  tool: "refund",
  args: { amount: 999 },
  callId: "c",
  traceId: "t",
  chain: [],
  claims: {},
};

const path = (at: string): Target => ({ kind: "path", path: at, level: "admin", recursive: false });
const STRIPE: Target = { kind: "domain", domain: "api.stripe.com", level: "admin" };
const BOOKS = path("/project/books.csv");

function effectOf(targets: readonly Target[], notes: readonly string[] = []): Effect {
  const part: Part = {
    class: "payments.move",
    capability: "x",
    level: "admin",
    targets,
    reversible: false,
    reach: "outside",
  };
  return { parts: [part], understood: "fully", notes };
}

function cardFor(over: Partial<CardInput> & { call?: ToolCall }): Card {
  return cardOf({
    call: CALL,
    digest: "sha256:1",
    effect: effectOf([STRIPE, BOOKS]),
    owner: "ana",
    why: ["the row for class payments.move is ask (leeway.yaml:4)"],
    record: "12 of 12 calls of this class went well",
    deadline: "2026-01-02 10:00 UTC",
    quorum: { needed: 2, approved: 1 },
    project: "/project",
    ...over,
  });
}

/** What must never reach a terminal or a page: control characters, format characters, separators. */
const RAW = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}]/u;

/** The tags of a card; there are no others, and none has an attribute that data could reach. */
const TAG =
  /<\/?(?:h2|h3|p|section|ul|li|code|blockquote|mark|article)>|<article class="leeway-card" dir="ltr">|<wbr>/g;

function isClean(html: string): boolean {
  const text = html.replaceAll(TAG, "").replaceAll("\n", "");
  return !/[<>"'`]/.test(text) && !/&(?!(?:amp|lt|gt|quot|#39|#96|#160);)/.test(text) && !RAW.test(text);
}

const ENTITIES: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  "#39": "'",
  "#96": "`",
  "#160": " ",
};

/** A page as narrow as a terminal, without any style. */
function screenOf(html: string): readonly string[] {
  const text = html.replaceAll("<wbr>", "").split(/\n/);
  return text
    .map((line) => line.replaceAll(TAG, "").replaceAll(/&([a-z]+|#\d+);/g, (_, name: string) => ENTITIES[name] ?? ""))
    .filter((line) => line !== "")
    .flatMap((line) => wrap(line, WIDTH));
}

/** Which true facts are missing from the first screen of either renderer, and what either let through. */
function faults(card: Card, truths: readonly string[]): readonly string[] {
  const lines = renderText(card, WIDTH);
  const html = renderHtml(card);
  const screens = { text: firstOf(lines), html: firstOf(screenOf(html)) };
  return [
    ...Object.entries(screens).flatMap(([on, first]) =>
      truths.filter((truth) => !first.includes(truth)).map((truth) => `${truth} is not on the first screen of ${on}`),
    ),
    ...(lines.some((line) => RAW.test(line)) ? ["raw characters in the text"] : []),
    ...(isClean(html) ? [] : ["something unescaped in the page"]),
  ];
}

function firstOf(lines: readonly string[]): string {
  return lines.slice(0, SCREEN).join(" ").replaceAll(/ +/g, " ");
}

const TRUTHS = ["asks to use refund", "api.stripe.com (admin)", "books.csv (admin)", ": 999"];

const FIELDS: Record<string, (lie: string) => Card> = {
  agent: (lie) => cardFor({ call: { ...CALL, agent: lie } }),
  owner: (lie) => cardFor({ owner: lie }),
  "the agent's words": (lie) => cardFor({ call: { ...CALL, says: lie } }),
  arguments: (lie) => cardFor({ call: { ...CALL, args: { note: lie, amount: 999, [lie.slice(0, 300)]: lie } } }),
  "reasons of rules": (lie) => cardFor({ why: [lie, lie] }),
  record: (lie) => cardFor({ record: lie }),
  notes: (lie) => cardFor({ effect: effectOf([STRIPE, BOOKS], [lie]) }),
  paths: (lie) => cardFor({ effect: effectOf([STRIPE, BOOKS, path(`/project/${lie}`)]) }),
};

test.each(Object.keys(FIELDS))("tool, targets and amount stay on the first screen if this is forged: %s", (field) => {
  expect(FORGERIES.length).toBeGreaterThanOrEqual(300);
  expect(FORGERIES.flatMap((lie, i) => faults(FIELDS[field]?.(lie) as Card, TRUTHS).map((what) => [i, what]))).toEqual(
    [],
  );
});

test("with a forged tool name, its beginning and the targets stay on the first screen", () => {
  const truths = [`asks to use "wipe `, "api.stripe.com (admin)", "books.csv (admin)"];
  const broken = FORGERIES.flatMap((lie, i) =>
    faults(cardFor({ call: { ...CALL, tool: `wipe ${lie}` } }), truths).map((what) => [i, what]),
  );
  expect(broken).toEqual([]);
});

test("with a forged command, what it deletes stays on the first screen, and only serious parts are marked", () => {
  const broken = FORGERIES.flatMap((lie, i) => {
    const shown = lie.replaceAll("'", "");
    const call: ToolCall = {
      ...CALL,
      tool: "Bash",
      args: { command: `echo '${shown}'; rm -rf /srv/books` },
      cwd: "/project",
    };
    const card = cardFor({
      call,
      effect: classify(readCall(call), { declared: NOTHING_DECLARED, project: "/project" }),
    });
    const found = faults(card, ["asks to use Bash", "deletes /srv/books and everything below, cannot be undone"]);
    const text = renderText(card, 100_000).join("\n");
    const marked = new Set([...text.matchAll(/⟦([^⟧]*)⟧/g)].map(([, piece]) => piece));
    const pages = new Set([...renderHtml(card).matchAll(/<mark>([^<]*)<\/mark>/g)].map(([, piece]) => piece));
    const honest = [marked, pages].every((all) => [...all].join() === "rm -rf /srv/books");
    return [...found, ...(honest ? [] : [`marked: ${[...marked, ...pages].join()}`])].map((what) => [i, what]);
  });
  expect(broken).toEqual([]);
});

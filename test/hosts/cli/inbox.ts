import { join } from "node:path";
import { leeway, type Machine } from "../../cli/program.ts";
import { up } from "../../cli/servers.ts";

// The inbox of a machine: a server, and ana, who answers questions as a test says.

type Question = { id: string; digest: string };

/** What ana does about the question whose text contains a word. */
export type Answers = { readonly [word: string]: (question: Question, inbox: Inbox) => Promise<unknown> };

export type Inbox = {
  review(question: Question, review: Record<string, unknown>): Promise<Response>;
  /** The open question whose text contains this word, as soon as it is asked. */
  question(word: string): Promise<Question>;
  /** Ends the server at once and starts another one on the same database. */
  restart(): Promise<void>;
  stop(): Promise<void>;
};

export async function openInbox(on: Machine, answers: Answers): Promise<Inbox> {
  const token = await tokenOf(on);
  let server = await up(on);
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const read = async (path: string) => (await fetch(`${server.url}/v1/approvals${path}`, { headers })).json();
  /** Each open question as a person sees it, with the call. */
  const open = async (): Promise<readonly Question[]> => {
    const { approvals } = (await read("?status=pending")) as { approvals: readonly Question[] };
    return Promise.all(approvals.map(async ({ id }) => (await read(`/${id}`)) as Question));
  };
  const inbox: Inbox = {
    review: ({ id, digest }, review) =>
      fetch(`${server.url}/v1/approvals/${id}/reviews`, {
        method: "POST",
        headers,
        body: JSON.stringify({ digest, ...review }),
      }),
    question: async (word) => {
      for (let tries = 0; tries < 600; tries++) {
        const found = (await open()).find((one) => JSON.stringify(one).includes(word));
        if (found !== undefined) return found;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      throw new Error(`nobody is asked about ${word}`);
    },
    restart: async () => {
      await server.stop("SIGKILL");
      server = await up(on);
    },
    stop: async () => {
      isOpen = false;
      await watching;
      await server.stop();
    },
  };
  let isOpen = true;
  const watching = watch({ answers, inbox, open, isOpen: () => isOpen });
  return inbox;
}

type Watched = { answers: Answers; inbox: Inbox; open: () => Promise<readonly Question[]>; isOpen: () => boolean };

async function watch({ answers, inbox, open, isOpen }: Watched): Promise<void> {
  const seen = new Set<string>();
  while (isOpen()) {
    const questions = await open().catch(() => []);
    for (const question of questions.filter(({ id }) => !seen.has(id))) {
      seen.add(question.id);
      const word = Object.keys(answers).find((one) => JSON.stringify(question).includes(one));
      if (word !== undefined) await answers[word]?.(question, inbox);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function tokenOf(on: Machine): Promise<string> {
  const args = ["tokens", "add", "--person", "ana", "--can", "approve"];
  const made = await leeway(on, [...args, "--password-file", join(on.home, "passphrase.txt")]);
  return made.stdout.trim();
}

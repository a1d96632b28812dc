import type { Code } from "../../src/core/codes.ts";
import { statusOf } from "../../src/http/answer.ts";
import type { Served } from "./served.ts";

export type PageReply = { status: number; html: string; location: string; headers: Headers };
type Fields = Readonly<Record<string, string | readonly string[]>>;

/** What a browser does on a page: read it, and press the buttons of forms. */
export type Browser = {
  cookie: string;
  look(path: string, headers?: Record<string, string>): Promise<PageReply>;
  /**
   * Every form leads to a page. `html` is that page if it shows a refusal or a requested view; `status` is then the one that
   * programs get for such a refusal.
   */
  press(path: string, fields?: Fields, from?: string, more?: Record<string, string>): Promise<PageReply>;
  /** The form that approves or denies a question. */
  answer(id: string, given: Fields & { verdict: string }, more?: Record<string, string>): Promise<PageReply>;
};

export async function browserOf(on: Served, name: string): Promise<Browser> {
  const cookie = await on.signIn(name);
  const look: Browser["look"] = async (path, headers = {}) =>
    replyOf(await fetch(on.url + path, { redirect: "manual", headers: { accept: "text/html", cookie, ...headers } }));
  const press: Browser["press"] = async (path, fields = {}, from = "/", more = {}) => {
    const body = new URLSearchParams();
    for (const [key, value] of Object.entries(fields)) for (const one of [value].flat()) body.append(key, one);
    const headers = { cookie, origin: on.url, referer: on.url + from, accept: "text/html", ...more };
    const sent = await replyOf(await fetch(on.url + path, { method: "POST", body, redirect: "manual", headers }));
    if (!/^\/shown\/|[?&]refused=/.test(sent.location)) return sent;
    const { html } = await look(sent.location, more);
    const code = /id="refused".*?<small>(LEEWAY_\w+)<\/small>/s.exec(html)?.[1] as Code | undefined;
    return { ...sent, html, status: code === undefined ? 200 : statusOf(code) };
  };
  const answer: Browser["answer"] = (id, { verdict, ...fields }, more = {}) =>
    press(`/approvals/${id}/${verdict}`, fields, `/approvals/${id}`, more);
  return { cookie, look, press, answer };
}

async function replyOf(answer: Response): Promise<PageReply> {
  const { status, headers } = answer;
  return { status, html: await answer.text(), location: headers.get("location") ?? "", headers };
}

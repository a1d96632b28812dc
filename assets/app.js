// The pages work without this script. With it the list updates by itself, times are in the reader's time zone, and keys work.

const one = (selector) => document.querySelector(selector);

/** What the addresses of this workspace begin with: nothing, if it is the server's own. */
const BASE = /^\/w\/[^/]+/.exec(location.pathname)?.[0] ?? "";

function localTimes() {
  for (const time of document.querySelectorAll("time[datetime]")) {
    time.title = new Date(time.dateTime).toLocaleString();
  }
}

/** Announces a text to screen readers. */
function tell(text) {
  const news = one("#news");
  if (news !== null) news.textContent = text;
}

function tellCount(before, after, headline) {
  const { arrived, answered, waiting } = one("#news").dataset;
  if (after > before || headline !== undefined) tell(`${arrived} ${headline ?? `${after} ${waiting}`}`);
  else if (after < before) tell(answered);
}

const pending = () => Number(one("#count").textContent);

/** Updates the count in the navigation and in the title, on pages without the list. */
async function recount() {
  const answer = await fetch(`${BASE}/waiting/count`);
  if (answer.redirected) return isLost(true, one("#news").dataset.out);
  if (!answer.ok) return;
  const before = pending();
  const { pending: after } = await answer.json();
  one("#count").textContent = after > 0 ? after : "";
  document.title = document.title.replace(/^(\(\d+\) )?/, after > 0 ? `(${after}) ` : "");
  tellCount(before, after);
}

const linkOf = (root, id) => root.querySelector(`#waiting a[data-id="${CSS.escape(id)}"]`);
const idsIn = (root) => [...root.querySelectorAll("#waiting a")].map((link) => link.dataset.id);
const openId = (root) => root.querySelector("#question")?.dataset.id || undefined;
const parsed = async (answer) => new DOMParser().parseFromString(await answer.text(), "text/html");

/** Replaces elements whose content has changed. Others stay, because the person may be about to use them. */
function takeOver(fresh, ...ids) {
  for (const id of ids) {
    const [old, now] = [document.getElementById(id), fresh.getElementById(id)];
    if (old !== null && now !== null && old.innerHTML !== now.innerHTML) old.replaceWith(now);
  }
}

/** Updates the list. Lines that are still there keep their elements, so that scroll position and selection are not lost. */
function takeList(fresh) {
  const [list, now] = [one("#waiting"), fresh.querySelector("#waiting")];
  if (list === null || now === null) return;
  const gone = new Map([...list.children].map((line) => [line.dataset.id, line]));
  let next = list.firstElementChild;
  for (const line of [...now.children]) {
    const old = gone.get(line.dataset.id);
    gone.delete(line.dataset.id);
    holdPick(old ?? line, line);
    if (old === undefined) list.insertBefore(line, next);
    else {
      const facts = old.querySelector(".facts");
      if (facts.textContent !== line.querySelector(".facts").textContent)
        facts.replaceWith(line.querySelector(".facts"));
      old.querySelector("a").href = line.querySelector("a").href;
      if (old === next) next = next.nextElementSibling;
      else list.insertBefore(old, next);
    }
  }
  for (const line of gone.values()) line.remove();
}

/** A question cannot be answered together with others while its changed version was not sent: that would answer the original. */
function holdPick(line, now) {
  const [pick, fresh] = [line.querySelector("[name=pick]"), now.querySelector("[name=pick]")];
  if (pick === null || fresh === null) return;
  pick.disabled = fresh.disabled || versions.has(line.dataset.id);
  pick.title = fresh.title;
  pick.checked &&= !pick.disabled;
}

/** The versions of calls that were typed in this page and not sent, by question. */
const versions = new Map();
const versionFields = () => [...document.querySelectorAll("#editing :is(textarea, input[name=note])")];

/** Keeps the version of the open question before another page takes its place. */
function keepVersion() {
  const fields = versionFields();
  const typed = fields.map(({ name, value }) => [name, value]);
  if (fields.some((field) => field.value !== field.defaultValue)) versions.set(openId(document), typed);
  else if (fields.length > 0) versions.delete(openId(document));
}

function forgetVersion(id) {
  versions.delete(id);
  for (const field of versionFields()) field.defaultValue = field.value;
}

/** Fills in the version that was typed before. A question with a version is never shown without it. */
function takeVersion() {
  const typed = versions.get(openId(document));
  if (typed === undefined) return;
  if (one("#editing") === null) {
    const edit = one("a#edit");
    // Without the link the question is closed, and there is nothing left to approve.
    if (edit !== null) open(openId(document), edit.href);
    return;
  }
  for (const [name, value] of typed) one(`#editing [name=${name}]`).value = value;
}

/** The position of the open question in the list, or its last position if somebody else has answered it. */
let place = 0;

/** Marks the open question as the current one in the list. */
function choose(id) {
  for (const link of document.querySelectorAll("#waiting a[aria-current]")) link.removeAttribute("aria-current");
  const link = id === undefined ? null : linkOf(document, id);
  link?.setAttribute("aria-current", "true");
  return link;
}

/** Scrolls only the list. Scrolling to an element would make Tab start from that element. */
function revealChosen() {
  const [list, line] = [one(".list"), one("#waiting li:has([aria-current])")];
  if (list === null || line === null) return;
  const below = line.getBoundingClientRect().bottom - list.getBoundingClientRect().bottom;
  if (below > 0) list.scrollTop += below;
}

function takePage(fresh) {
  takeList(fresh);
  takeOver(fresh, "count", "heading", "paging", "aside", "done");
  document.title = fresh.title;
}

/** Updates list, count and title from a new copy of the page; the open question stays unchanged. */
async function refresh() {
  const { href } = location;
  const answer = await fetch(href, { headers: { accept: "text/html" } });
  if (isSent) return;
  if (!answer.ok || answer.redirected) return isLost(true, answer.redirected ? one("#news").dataset.out : undefined);
  const fresh = await parsed(answer);
  // A question that is opening is already marked in the list; this page still has the mark of the question before.
  await opening();
  // An answer was given meanwhile, or the page has another address now: then the fetched page is out of date.
  if (isSent) return;
  if (location.href !== href) return refresh();
  const [before, known, open] = [pending(), idsIn(document), openId(document)];
  if (known.includes(open)) place = known.indexOf(open);
  takePage(fresh);
  keepOpen(open, known, fresh);
  localTimes();
  const arrived = idsIn(document).find((id) => !known.includes(id));
  const headline = arrived && linkOf(document, arrived).querySelector(".headline").textContent;
  tellCount(before, pending(), headline);
}

/** Keeps the open question in place, so that nobody presses a button that has just changed. If it is closed, it says so. */
function keepOpen(open, known, fresh) {
  if (open === undefined || one("#question .sheet") === null) {
    if (openId(fresh) !== undefined) one("#question")?.replaceWith(fresh.getElementById("question"));
    choose(openId(document));
    return;
  }
  choose(open);
  if (openId(fresh) === open) takeOver(fresh, "strip", "follows", "closed", "outcome", "said");
  const isGone = known.includes(open) && linkOf(document, open) === null;
  const foot = one("#question .foot");
  if (!isGone || foot === null || foot.inert) return;
  foot.inert = true;
  const told = document.createElement("p");
  told.className = "warning gone";
  told.setAttribute("role", "alert");
  told.textContent = one("#news").dataset.gone;
  one("#question .sheet").prepend(told);
  // What would follow an approval is no longer true.
  one("#follows")?.remove();
  void sayHowClosed(open, told);
}

/** Adds how the question was closed, as its own page says it. */
async function sayHowClosed(open, told) {
  const answer = await fetch(`${BASE}/approvals/${open}`, { headers: { accept: "text/html" } });
  if (!answer.ok || answer.redirected) return;
  const closed = (await parsed(answer)).querySelector("#question .closed");
  if (closed !== null) told.append(" ", closed.textContent);
}

const UNSEEN_MS = 400;
/** The scroll position of the list on a phone when a question was opened. */
let listTop = 0;
/** Resolves when the selected question is on the screen. Keys that act on a question wait for this. */
let shown = Promise.resolve();
let leaving = new AbortController();

/** Shows the question of another page in this one. The scroll position and the selection of the list stay. */
async function show(fresh, url, { guarded }) {
  const now = fresh.getElementById("question");
  if (now === null) return location.assign(url);
  keepVersion();
  const wasList = !document.body.classList.contains("opened");
  if (wasList) listTop = scrollY;
  takePage(fresh);
  one("#question").replaceWith(now);
  document.body.className = fresh.body.className;
  // On a phone the list and the question are two screens, and going back leads to the list.
  if (location.href !== url) history[wasList ? "pushState" : "replaceState"](null, "", url);
  if (fresh.body.classList.contains("opened")) scrollTo(0, 0);
  else scrollTo(0, listTop);
  localTimes();
  watchEnd();
  takeVersion();
  const link = choose(openId(document));
  if (document.body.classList.contains("opened")) link?.scrollIntoView({ block: "nearest" });
  const foot = now.querySelector(".foot");
  if (!guarded || foot === null) return;
  // The second click of a double click must not answer a question that nobody has seen yet.
  foot.inert = true;
  await new Promise((resolve) => setTimeout(resolve, UNSEEN_MS));
  foot.inert = false;
}

/**
 * Disables the button to approve until the folded end of a long change was opened and, if the button is always visible, until
 * the end of what would run was on the screen.
 */
function watchEnd() {
  const [sheet, approve] = [one("#question .sheet"), one('#approve [data-key="a"]')];
  const end = one("#question .exact > li:last-child");
  if (approve === null || approve.disabled || end === null) return;
  const isAlwaysVisible = getComputedStyle(sheet).overflowY === "auto";
  const isOnScreen = () => end.getBoundingClientRect().bottom <= sheet.getBoundingClientRect().bottom + 1;
  const fold = one(FOLDED_END);
  const isSeen = () => fold?.open !== false && (!isAlwaysVisible || isOnScreen());
  if (isSeen()) return;
  const disable = (yes) => {
    for (const button of document.querySelectorAll('#approve button, button[form="approve"]')) button.disabled = yes;
  };
  disable(true);
  const look = () => {
    if (!isSeen()) return;
    disable(false);
    sheet.removeEventListener("scroll", look);
    fold?.removeEventListener("toggle", look);
    removeEventListener("resize", look);
  };
  sheet.addEventListener("scroll", look);
  fold?.addEventListener("toggle", look);
  addEventListener("resize", look);
}

const FOLDED_END = "#question .exact > .end > details";

/** Moves to the button to approve. If it is disabled, scrolls one screen further, or moves to what opens the rest. */
function aimAtApprove() {
  const approve = one('#answer [data-key="a"]');
  const sheet = one("#question .sheet");
  const asks = one("#answer .which > summary");
  if (approve?.disabled !== true) return (asks?.checkVisibility() ? asks : approve)?.focus();
  const before = sheet.scrollTop;
  sheet.scrollBy({ top: sheet.clientHeight * 0.9, behavior: "instant" });
  if (sheet.scrollTop === before) one(`#follows a, ${FOLDED_END}:not([open]) > summary`)?.focus();
}

/** Opens a question in this page. From now on the old question cannot be answered. */
function open(id, url) {
  leaving.abort();
  leaving = new AbortController();
  const { signal } = leaving;
  const question = one("#question");
  question.inert = true;
  if (id !== undefined) choose(id)?.focus({ preventScroll: true });
  shown = (async () => {
    try {
      const answer = await fetch(url, { headers: { accept: "text/html" }, signal });
      if (!answer.ok || answer.redirected) return location.assign(url);
      await show(await parsed(answer), url, { guarded: false });
    } catch {
      if (!signal.aborted) location.assign(url);
    }
  })();
}

/** Waits until the last selected question is shown, even if the selection changes meanwhile. */
async function opening() {
  for (let waited; waited !== shown; ) {
    waited = shown;
    await waited;
  }
}

async function whenShown(act) {
  await opening();
  act();
}

addEventListener("popstate", () => open(undefined, location.href));

addEventListener("click", (event) => {
  const link = event.target.closest?.("a[data-open]");
  if (link?.id === "discard") forgetVersion(openId(document));
  const isPlain = !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || event.button !== 0);
  if (link === null || link === undefined || !isPlain || one("#waiting") === null) return;
  event.preventDefault();
  open(link.dataset.open || undefined, link.href);
});

/** True after a form was sent, until the next page is shown. */
let isSent = false;
// Going back may show this page in its last state.
addEventListener("pageshow", () => {
  isSent = false;
});

/** Sends an answer and shows the next question of the same list in this page. */
async function answer(form) {
  const body = new URLSearchParams(new FormData(form));
  const of = openId(document);
  isSent = true;
  one("#question .foot").inert = true;
  try {
    const answer = await fetch(form.action, { method: "POST", body, headers: { accept: "text/html" } });
    if (!answer.redirected) throw new Error(String(answer.status));
    const fresh = await parsed(answer);
    if (fresh.getElementById("waiting") === null) {
      keepTyped(form);
      return location.assign(answer.url);
    }
    // The server has the version now, or it was discarded.
    if (form.id === "editing" || form.id === "discard") forgetVersion(of);
    shown = show(fresh, answer.url, { guarded: true });
    afterAnswer();
  } catch {
    one("#question .foot").inert = false;
    isLost(true, one("#news").dataset.unsent);
  } finally {
    isSent = false;
    if (isMissed) refreshSoon();
    isMissed = false;
  }
}

addEventListener("submit", (event) => {
  const form = event.target;
  if (form.method !== "post") return;
  if (isSent) return event.preventDefault();
  if (one("#waiting") !== null && (form.closest("#question .foot") !== null || form.id === "editing")) {
    event.preventDefault();
    // The form of a version is not in the foot, but its button is.
    if (one("#question .foot").inert) return;
    answer(form);
    return;
  }
  isSent = true;
  keepTyped(form);
});

const TYPED = "leeway-typed";
const SIGN_IN = `${BASE}/sign-in`;

/** Keeps what was typed until it is known whether the form was accepted. Passphrases, and secrets in other fields, are not kept. */
function keepTyped(form) {
  const places = [...form.querySelectorAll("[data-place]")].filter(({ value }) => !/^(env|file):/.test(value));
  const secret = new Set([...form.querySelectorAll('input[type="password"]'), ...places].map((input) => input.name));
  const fields = [...new FormData(form)].filter(([name, value]) => !secret.has(name) && typeof value === "string");
  const typed = { action: new URL(form.action).pathname, fields };
  // After a required sign-in, the earlier form is shown again, so the form of the sign-in must not replace it.
  if (typed.action === SIGN_IN) return;
  sessionStorage.setItem(TYPED, JSON.stringify(typed));
}

/** The address of the form that was refused, as the page has it. */
function refusedAction() {
  const action = one("#refused")?.dataset.action;
  return action === undefined ? undefined : BASE + action;
}

/** Fills in again what was typed, if the form was refused or needed a sign-in first. */
function fillTyped() {
  if (location.pathname === SIGN_IN) return;
  const typed = JSON.parse(sessionStorage.getItem(TYPED) ?? "null");
  sessionStorage.removeItem(TYPED);
  const hasProved = document.referrer !== "" && new URL(document.referrer).pathname === SIGN_IN;
  const action = hasProved ? typed?.action : refusedAction();
  if (typed === null || typed.action !== action) return;
  const form = [...document.forms].find(({ action: at }) => new URL(at, location.href).pathname === action);
  for (const [name, value] of form === undefined ? [] : typed.fields) {
    for (const input of form.elements) {
      if (input.name !== name || input.type === "hidden") continue;
      if (input.type === "radio" || input.type === "checkbox") input.checked ||= input.value === value;
      else input.value = value;
      for (let fold = input.closest("details"); fold !== null; fold = fold.parentElement.closest("details"))
        fold.open = true;
    }
  }
}

let due;
/** True if an event came while an answer was being sent: the page that comes back may be older than the event. */
let isMissed = false;
const ANSWERED = ["approval.reviewed", "approval.approved", "approval.denied"];

/** While an answer is being sent, nothing is fetched, because its response contains the list. */
function refreshSoon(news = undefined) {
  clearTimeout(due);
  if (isSent) {
    isMissed ||= !ANSWERED.includes(news);
    return;
  }
  due = setTimeout(one("#waiting") === null ? recount : refresh, 150);
}

const NEWS = [
  "approval.opened",
  "approval.reviewed",
  "approval.approved",
  "approval.denied",
  "approval.expired",
  "approval.cancelled",
  "approval.superseded",
  "approval.replied",
  "approval.handed",
];
/** Events about the result of an approved call. They matter only on the page of that call. */
const ENDINGS = ["execution.claimed", "execution.succeeded", "execution.failed", "execution.unknown", "execution.void"];

const [LOST, BACK] = ["lost", "back"];
const AGAIN_MS = 3000;

/** Shows whether the connection is lost; otherwise an outdated list would look like a quiet one. */
function isLost(yes, why = undefined) {
  const line = one("#lost");
  const text = yes ? (why ?? line.dataset.lost) : "";
  if (line.textContent !== text) line.textContent = text;
}

/** True while the browser leaves this page: then the end of the connection is not an error. */
let isLeaving = false;
addEventListener("pagehide", () => {
  isLeaving = true;
});

/** Of all open windows only one is connected and informs the others, because browsers limit the number of connections. */
function listen() {
  if (one("#count") === null) return;
  const windows = new BroadcastChannel(`leeway-news${BASE}`);
  const hear = (news) => {
    if (news === LOST) return isLost(true);
    isLost(false);
    if (!ENDINGS.includes(news) || one("#outcome") !== null) refreshSoon(news);
  };
  windows.onmessage = ({ data }) => hear(data);
  const spread = (news) => {
    hear(news);
    windows.postMessage(news);
  };
  // The pages of all windows are older than this connection, so all of them are updated once.
  const follow = () => {
    const events = new EventSource(`${BASE}/v1/events`);
    for (const kind of [...NEWS, ...ENDINGS]) events.addEventListener(kind, () => spread(kind));
    events.onopen = () => spread(BACK);
    events.onerror = () => {
      if (isLeaving) return;
      spread(LOST);
      // A browser reconnects by itself if the server was not reachable, but not if the server refused.
      if (events.readyState !== EventSource.CLOSED) return;
      setTimeout(follow, AGAIN_MS);
      recount().catch(() => {});
    };
    addEventListener("pagehide", () => events.close());
    return new Promise(() => {});
  };
  if (navigator.locks === undefined) return follow();
  navigator.locks.request(`leeway-news${BASE}`, follow);
}

/** After an answer, moves the focus to the next question and announces what was done to screen readers. */
function afterAnswer() {
  const told = one("#strip .done:not(:empty), #done:not(:empty), main > .told");
  if (told === null || !new URLSearchParams(location.search).has("told")) return;
  setTimeout(tell, 200, told.textContent);
  const line = one("#waiting a[aria-current]");
  // On a phone the list is not visible while a question is open.
  const next = line?.checkVisibility() === false ? one("#question .sheet") : line;
  (next ?? one("#content")).focus({ preventScroll: true });
}

/** Opens the next question of the list, or the one before. */
function move(by) {
  const links = [...document.querySelectorAll("#waiting a")];
  const at = links.findIndex((link) => link.hasAttribute("aria-current"));
  // If the question is gone, the next one is at its position.
  const to = at >= 0 ? at + by : by > 0 ? place : place - 1;
  const link = links[Math.min(links.length - 1, Math.max(0, to))];
  if (link !== undefined && links.indexOf(link) !== at) open(link.dataset.id, link.href);
  else link?.focus();
}

/** Opens a section of the question and goes to its first field. */
function unfold(section) {
  whenShown(() => {
    const fold = one(section);
    if (fold === null) return;
    for (let outer = fold; outer; outer = outer.parentElement.closest("details")) outer.open = true;
    enter(fold, "textarea, select, button");
  });
}

/** Goes to the first field of an open section; if it has none, to its name, so that Escape closes it too. */
function enter(fold, field) {
  (fold.querySelector(field) ?? fold.querySelector("summary")).focus();
}

const KEYS = {
  j: () => move(1),
  k: () => move(-1),
  a: () => whenShown(aimAtApprove),
  d: () => whenShown(() => one('#answer input[name="note"]')?.focus()),
  r: () =>
    whenShown(() => {
      const remember = one("#remember");
      if (remember === null) return;
      remember.open = true;
      enter(remember, 'input[value="1"]');
    }),
  w: () => unfold("#reply"),
  o: () => unfold("#handover"),
  z: () => unfold("#snooze"),
  "?": () => one("#keys")?.showModal(),
};

const showKeys = one("#show-keys");
if (showKeys !== null) {
  showKeys.hidden = false;
  showKeys.addEventListener("click", KEYS["?"]);
}

/** Closes what is open over the page; leaves the reason field without losing its text, else closes the sections of the question. */
function leave() {
  for (const menu of document.querySelectorAll("details:is(.menu, .stop, .place, .which)[open]")) menu.open = false;
  const isInReason = document.activeElement?.matches("#deny input, #editing :is(input, textarea)");
  const folds = isInReason ? [] : document.querySelectorAll(".beyond details[open]");
  for (const fold of folds) fold.open = false;
  if (isInReason || folds.length > 0) one("#question .sheet")?.focus({ preventScroll: true });
}

const TYPED_INTO = 'textarea, select, dialog[open], input:not([type="radio"], [type="checkbox"])';

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape") return leave();
  // Enter would send the form of this choice, which approves; here it only selects the choice.
  if (event.key === "Enter" && event.target.matches("#remember input")) {
    event.preventDefault();
    event.target.click();
    return;
  }
  if (event.target.closest(TYPED_INTO) !== null) return;
  const act = KEYS[event.key];
  if (act === undefined) return;
  event.preventDefault();
  act();
});

async function post(path, body) {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(BASE + path, { method: "POST", headers, body: JSON.stringify(body) });
  const value = await answer.json();
  if (!answer.ok) throw new Error(value.error.message);
  return value;
}

/** Runs the dialog of a passkey. An error is shown beside the button. */
function withPasskey(button, told, act) {
  if (button === null || typeof globalThis.PublicKeyCredential?.parseRequestOptionsFromJSON !== "function") return;
  button.hidden = false;
  button.addEventListener("click", async () => {
    try {
      await act(button);
    } catch {
      if (told === null) return;
      told.hidden = false;
      told.textContent = told.dataset.failed;
    }
  });
}

withPasskey(one("#passkey"), one("#passkey-told"), async (button) => {
  const { options, state } = await post("/v1/sign-in/passkey/options", {});
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const credential = await navigator.credentials.get({ publicKey });
  const { next } = await post("/v1/sign-in/passkey", {
    state,
    response: credential.toJSON(),
    next: button.dataset.next,
  });
  location.assign(next.startsWith("/w/") ? next : BASE + next);
});

withPasskey(one("#add-passkey"), one("#passkey-told"), async () => {
  const { options, state } = await post("/v1/passkeys/options", {});
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const credential = await navigator.credentials.create({ publicKey });
  await post("/v1/passkeys", { state, response: credential.toJSON(), name: navigator.platform || "passkey" });
  location.reload();
});

/** Yields lines of JSON as they arrive: the progress, and at the end what to show. */
async function* linesOf(body) {
  let rest = "";
  for (const reader = body.pipeThrough(new TextDecoderStream()).getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    for (const line of lines) yield JSON.parse(line);
  }
}

/** Deciding many calls again takes time, so a progress bar is shown. */
async function withProgress(form) {
  document.getElementById("drafted")?.remove();
  const place = document.createElement("div");
  place.id = "drafted";
  const bar = place.appendChild(document.createElement("progress"));
  bar.setAttribute("aria-label", form.querySelector("button").textContent);
  (form.closest(".panels") ?? form.closest(".panel") ?? form).after(place);
  place.scrollIntoView({ block: "nearest" });
  const body = new URLSearchParams(new FormData(form));
  body.set("progress", "1");
  const answer = await fetch(form.action, { method: "POST", body });
  if (!answer.ok || answer.redirected) return form.submit();
  for await (const { done, of, html } of linesOf(answer.body)) {
    if (html === undefined) Object.assign(bar, { max: of, value: done });
    else {
      place.replaceChildren(...new DOMParser().parseFromString(html, "text/html").body.childNodes);
      for (const link of BASE === "" ? [] : place.querySelectorAll('a[href^="/"]')) link.href = BASE + link.pathname;
    }
    place.scrollIntoView({ block: "nearest" });
  }
}

for (const form of document.querySelectorAll("form[data-progress]")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    withProgress(form).catch(() => form.submit());
  });
}

/** Shows the buttons that copy a text, if the browser can copy, which it does only in a secure context. */
function offerCopies() {
  if (navigator.clipboard === undefined) return;
  for (const button of document.querySelectorAll("button[data-copy]")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(one(`#${button.dataset.copy}`).textContent);
      button.textContent = button.dataset.copied;
    });
  }
}

/** If no time zone is chosen yet, suggests the one of this browser. */
function guessZone() {
  const input = one("input[data-zone]");
  if (input?.value === "") input.value = Intl.DateTimeFormat().resolvedOptions().timeZone;
}

revealChosen();
localTimes();
offerCopies();
guessZone();
watchEnd();
fillTyped();
afterAnswer();
listen();

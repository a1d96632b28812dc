// The pages work without this. With it the list is live, times are the reader's own, and keys do what buttons do.

const one = (selector) => document.querySelector(selector);

function localTimes() {
  for (const time of document.querySelectorAll("time[datetime]")) {
    time.title = new Date(time.dateTime).toLocaleString();
  }
}

/** Tells those who listen to the page; the eye has the page itself. */
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

/** On a page without the list only the count is live, in the row of pages and in the title. */
async function recount() {
  const answer = await fetch("/waiting/count");
  if (!answer.ok || answer.redirected) return;
  const before = pending();
  const { pending: after } = await answer.json();
  one("#count").textContent = after > 0 ? after : "";
  document.title = document.title.replace(/^(\(\d+\) )?/, after > 0 ? `(${after}) ` : "");
  tellCount(before, after);
}

const linkOf = (root, id) => root.querySelector(`#waiting a[data-id="${CSS.escape(id)}"]`);
const idsIn = (root) => [...root.querySelectorAll("#waiting a")].map((link) => link.dataset.id);
const answeredId = (root) => root.querySelector("#answer")?.action?.match(/apr_[0-9a-f]+/)?.[0];

const saidBy = (place) => place.textContent + [...place.querySelectorAll("a")].map((link) => link.pathname).join(" ");

/** Takes list, count and title from the page as it is now; the question that somebody looks at stays untouched. */
async function refresh() {
  const answer = await fetch(location.href, { headers: { accept: "text/html" } });
  if (isSent) return;
  if (!answer.ok || answer.redirected) return location.reload();
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  const [before, known, open] = [pending(), idsIn(document), answeredId(document)];
  const focused = document.activeElement?.dataset?.id;
  const picked = [...document.querySelectorAll('#waiting input[name="pick"]:checked')].map((box) => box.value);
  for (const id of ["waiting", "count", "heading", "bulk"]) {
    const [old, now] = [document.getElementById(id), fresh.getElementById(id)];
    // What says the same stays: a hand may be on it.
    if (old !== null && now !== null && saidBy(old) !== saidBy(now)) old.replaceWith(now);
  }
  for (const box of document.querySelectorAll('#waiting input[name="pick"]')) box.checked = picked.includes(box.value);
  document.title = fresh.title;
  const empty = one(".list .empty");
  const isEmpty = fresh.querySelector(".list .empty");
  if (isEmpty === null) empty?.remove();
  else if (empty === null) one(".list")?.append(isEmpty);
  keepOpen(open, known, fresh);
  if (focused !== undefined) linkOf(document, focused)?.focus();
  localTimes();
  const arrived = idsIn(document).find((id) => !known.includes(id));
  const headline = arrived && linkOf(document, arrived).querySelector(".headline").textContent;
  tellCount(before, pending(), headline);
}

/** Nothing is swapped under a hand that is about to press; what is over says so. */
function keepOpen(open, known, fresh) {
  if (open === undefined) {
    if (answeredId(fresh) !== undefined) one("#question").replaceWith(fresh.getElementById("question"));
    return;
  }
  for (const link of document.querySelectorAll("#waiting a")) {
    link.toggleAttribute("aria-current", false);
    if (link.dataset.id === open) link.setAttribute("aria-current", "true");
  }
  const isGone = known.includes(open) && linkOf(document, open) === null && answeredId(fresh) !== open;
  const form = one("#answer");
  if (!isGone || isAnswering || form.inert) return;
  form.inert = true;
  const told = document.createElement("p");
  told.className = "warning gone";
  told.setAttribute("role", "alert");
  told.textContent = one("#news").dataset.gone;
  form.before(told);
}

/** One's own answer is no news, and whoever has pressed a button is on the way to another page. */
let isAnswering = false;
let isSent = false;
addEventListener("submit", (event) => {
  isSent = true;
  if (event.target.id === "answer") isAnswering = true;
});

let due;
function refreshSoon() {
  clearTimeout(due);
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
];

const [LOST, BACK] = ["lost", "back"];
const AGAIN_MS = 3000;

/** A list that stands still because nobody answers looks like one in which nothing happens: it says which it is. */
function isLost(yes) {
  const line = one("#lost");
  const text = yes ? line.dataset.lost : "";
  if (line.textContent !== text) line.textContent = text;
}

/** Whoever goes to another page lets go of the connection themself. */
let isLeaving = false;
addEventListener("pagehide", () => {
  isLeaving = true;
});

/** However many windows are open, one of them listens and tells the others: browsers have few connections to give. */
function listen() {
  if (one("#count") === null) return;
  const windows = new BroadcastChannel("leeway-news");
  const hear = (news) => {
    if (news === LOST) return isLost(true);
    isLost(false);
    refreshSoon();
  };
  windows.onmessage = ({ data }) => hear(data);
  const spread = (news) => {
    hear(news);
    windows.postMessage(news);
  };
  // A page is older than the connection that it listens by, and so are those of other windows: everybody looks once.
  const follow = () => {
    const events = new EventSource("/v1/events");
    for (const kind of NEWS) events.addEventListener(kind, () => spread(kind));
    events.onopen = () => spread(BACK);
    events.onerror = () => {
      if (isLeaving) return;
      spread(LOST);
      // A browser comes back by itself to a server that is gone, and not to one that says no.
      if (events.readyState === EventSource.CLOSED) setTimeout(follow, AGAIN_MS);
    };
    addEventListener("pagehide", () => events.close());
    return new Promise(() => {});
  };
  if (navigator.locks === undefined) return follow();
  navigator.locks.request("leeway-news", follow);
}

/** Whoever just answered goes on with the next question; what was done is told to those who listen. */
function afterAnswer() {
  const told = one("main > .told");
  if (told === null || !new URLSearchParams(location.search).has("told")) return;
  setTimeout(tell, 200, told.textContent);
  (one("#waiting a[aria-current]") ?? one("#content")).focus({ preventScroll: true });
}

/** Moves along the list; opening is what Enter on a link does anyway. */
function move(by) {
  const links = [...document.querySelectorAll("#waiting a")];
  if (links.length === 0) return;
  const at = links.indexOf(document.activeElement);
  const from = at >= 0 ? at : links.findIndex((link) => link.hasAttribute("aria-current"));
  links[Math.min(links.length - 1, Math.max(0, from + by))]?.focus();
}

const KEYS = {
  j: () => move(1),
  k: () => move(-1),
  a: () => one('#answer [data-key="a"]')?.focus(),
  d: () => one('#answer input[name="note"]')?.focus(),
  r: () => {
    const remember = one("#remember");
    if (remember === null) return;
    remember.open = true;
    remember.querySelector('input[value="1"]')?.focus();
  },
  "?": () => one("#keys")?.showModal(),
};

const showKeys = one("#show-keys");
if (showKeys !== null) {
  showKeys.hidden = false;
  showKeys.addEventListener("click", KEYS["?"]);
}

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input, textarea, select, dialog") !== null) return;
  const act = KEYS[event.key];
  if (act === undefined) return;
  event.preventDefault();
  act();
});

async function post(path, body) {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
  const value = await answer.json();
  if (!answer.ok) throw new Error(value.error.message);
  return value;
}

/** Runs a passkey's dialog; what goes wrong is told beside the button. */
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
  location.assign(next);
});

withPasskey(one("#add-passkey"), one("#passkey-told"), async () => {
  const { options, state } = await post("/v1/passkeys/options", {});
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const credential = await navigator.credentials.create({ publicKey });
  await post("/v1/passkeys", { state, response: credential.toJSON(), name: navigator.platform || "passkey" });
  location.reload();
});

/** Lines of JSON as they come: how far it is, and at the end what to show. */
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

/** Deciding many calls again takes a while: the answer comes with a bar that tells how far it is. */
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
    else place.replaceChildren(...new DOMParser().parseFromString(html, "text/html").body.childNodes);
    place.scrollIntoView({ block: "nearest" });
  }
}

for (const form of document.querySelectorAll("form[data-progress]")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    withProgress(form).catch(() => form.submit());
  });
}

// On a phone the row of pages is wider than the screen.
one(".top nav [aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
localTimes();
afterAnswer();
listen();

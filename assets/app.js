// The pages work without this. With it the list is live, times are the reader's own, and keys do what buttons do.

const one = (selector) => document.querySelector(selector);

function localTimes() {
  for (const time of document.querySelectorAll("time[datetime]")) {
    time.title = new Date(time.dateTime).toLocaleString();
  }
}

/** Takes list, count and title from the page as it is now; what somebody is typing into stays untouched. */
async function refresh() {
  const list = one("#waiting");
  if (list === null) return;
  const answer = await fetch(location.href, { headers: { accept: "text/html" } });
  if (!answer.ok || answer.redirected) return location.reload();
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  const focused = document.activeElement?.dataset?.id;
  const picked = [...document.querySelectorAll('#waiting input[name="pick"]:checked')].map((box) => box.value);
  for (const id of ["waiting", "count", "heading", "bulk"]) {
    const now = fresh.getElementById(id);
    if (now !== null) document.getElementById(id)?.replaceWith(now);
  }
  for (const box of document.querySelectorAll('#waiting input[name="pick"]')) box.checked = picked.includes(box.value);
  document.title = fresh.title;
  const empty = one(".list .empty");
  const isEmpty = fresh.querySelector(".list .empty");
  if (isEmpty === null) empty?.remove();
  else if (empty === null) one(".list")?.append(isEmpty);
  if (one("#answer") === null && fresh.querySelector("#answer") !== null) {
    one("#question").replaceWith(fresh.getElementById("question"));
  }
  if (focused !== undefined) one(`a[data-id="${CSS.escape(focused)}"]`)?.focus();
  localTimes();
}

let due;
function refreshSoon() {
  clearTimeout(due);
  due = setTimeout(refresh, 150);
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

function listen() {
  if (one("#waiting") === null) return;
  const events = new EventSource("/v1/events");
  for (const kind of NEWS) events.addEventListener(kind, refreshSoon);
  addEventListener("pagehide", () => events.close());
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
  if (!answer.ok) throw new Error(`${value.error.message}: ${value.error.hint}`);
  return value;
}

/** Runs a passkey's dialog; what goes wrong is told beside the button. */
function withPasskey(button, told, act) {
  if (button === null || typeof PublicKeyCredential?.parseRequestOptionsFromJSON !== "function") return;
  button.hidden = false;
  button.addEventListener("click", async () => {
    try {
      await act(button);
    } catch (error) {
      if (told === null) return;
      told.hidden = false;
      told.textContent = error.message;
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
listen();

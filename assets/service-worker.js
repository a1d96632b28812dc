// Shows what the server tells this browser, and opens the card when the person taps it. It keeps nothing and answers
// nothing.

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));

/** A message that cannot be read still has to be shown: browsers want every push to be seen. */
function messageIn(data) {
  try {
    return data.json();
  } catch {
    return {};
  }
}

/** Only pages of this server are opened. */
function pageOf(link) {
  const page = new URL(typeof link === "string" && URL.canParse(link, location.origin) ? link : "/", location.origin);
  return page.origin === location.origin ? page.href : `${location.origin}/`;
}

addEventListener("push", (event) => {
  const { title = "Leeway", text = "", tag, link, language } = messageIn(event.data);
  // The newest message about a question takes the place of the one before.
  const about = tag === undefined ? {} : { tag, renotify: true };
  event.waitUntil(
    registration.showNotification(title, { body: text, lang: language, data: { page: pageOf(link) }, ...about }),
  );
});

/** A page that is open there already is shown; another one may hold what somebody is typing, and is left alone. */
async function open(page) {
  const windows = await clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = windows.find(({ url }) => url === page);
  return there === undefined ? clients.openWindow(page) : there.focus();
}

addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data.page));
});

/** Push services may replace a subscription. If nobody is signed in here any more, the server forgets the old one. */
addEventListener("pushsubscriptionchange", (event) => {
  const renew = async () => {
    const options = event.oldSubscription?.options;
    const fresh = event.newSubscription ?? (options && (await registration.pushManager.subscribe(options)));
    if (!fresh) return;
    const { endpoint, keys } = fresh.toJSON();
    const headers = { "content-type": "application/json" };
    await fetch("/v1/push/devices", { method: "POST", headers, body: JSON.stringify({ endpoint, keys }) });
  };
  event.waitUntil(renew());
});

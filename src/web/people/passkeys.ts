import type { Person } from "../../core/people.ts";
import { removePasskey } from "../../gate/people/credentials.ts";
import { seeOther } from "../../http/answer.ts";
import { actingOf, personOf } from "../../http/identity/person.ts";
import type { Route } from "../../http/route.ts";
import { orThrow } from "../../service/refusal.ts";
import { button, provedOr } from "../page/forms.ts";
import { moment } from "../page/frame.ts";
import { type Html, html } from "../page/html.ts";
import { shown } from "../page/text.ts";
import type { View } from "../page/view.ts";

const AT = "/settings";

export const PASSKEY_ROUTES: readonly Route[] = [
  {
    method: "POST",
    path: "/settings/passkeys/:id/remove",
    for: ["self"],
    fresh: true,
    page: true,
    summary: "Removes one of your own passkeys.",
    act: async ({ deps }, request) => {
      orThrow(await removePasskey(deps, personOf(request).name, request.params["id"] ?? "", actingOf(request)));
      return seeOther(AT);
    },
  },
];

/** Passkeys need JavaScript, so the script shows the button. */
export function passkeysHtml(view: View, { passkeys = [] }: Person): Html {
  const { words } = view;
  const listed = passkeys.map(
    ({ id, name, addedMs }) =>
      html`<li data-passkey-id="${id}">${shown(name)}, ${moment(view, addedMs)} ${button(`/settings/passkeys/${id}/remove`, words.removePasskey, { kind: "danger" })}</li>`,
  );
  const body = html`${passkeys.length > 0 && html`<ul class="plain">${listed}</ul>`}
<p><button type="button" id="add-passkey" hidden>${words.addPasskey}</button></p><p id="passkey-told" class="warning" role="alert" data-failed="${words.passkeyFailed}" hidden></p>`;
  return html`<h3>${words.passkeys}</h3>${provedOr(view, AT, words.addPasskey, body)}`;
}

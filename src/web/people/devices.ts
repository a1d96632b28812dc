import type { Person } from "../../core/people.ts";
import { settingsOf } from "../../gate/notices/sending.ts";
import { devicesOf, removeDevice } from "../../gate/people/devices.ts";
import { seeOther } from "../../http/answer.ts";
import { actingOf, personOf } from "../../http/identity/person.ts";
import type { Route, Serving } from "../../http/route.ts";
import { pushKey } from "../../http/routes/devices.ts";
import { orThrow } from "../../service/refusal.ts";
import { assetPath } from "../assets.ts";
import { button } from "../page/forms.ts";
import { moment } from "../page/frame.ts";
import { type Html, html, trusted } from "../page/html.ts";
import { shown } from "../page/text.ts";
import type { View } from "../page/view.ts";

const AT = "/settings";

export const DEVICE_PAGE_ROUTES: readonly Route[] = [
  {
    method: "POST",
    path: "/settings/devices/:id/remove",
    for: ["self"],
    page: true,
    summary: "Tells one of one's own browsers no more.",
    act: async ({ deps }, request) => {
      orThrow(await removeDevice(deps, personOf(request), request.params["id"] ?? "", actingOf(request)));
      return seeOther(`${AT}?told=deviceRemoved`);
    },
  },
];

/** Only a script can subscribe a browser, so the script shows the button. Nothing is shown if the policy does not set up `push`. */
export async function devicesPanel(serving: Serving, view: View, person: Person): Promise<Html | undefined> {
  if (serving.sending === undefined || (await settingsOf(serving.deps, "push")) === undefined) return undefined;
  const { words } = view;
  const listed = devicesOf(person).map(
    ({ id, label, linkedMs }) =>
      html`<li data-device-id="${id}">${shown(label)}, ${moment(view, linkedMs)} ${button(`${AT}/devices/${id}/remove`, words.removeDevice, { kind: "danger" })}</li>`,
  );
  return html`<section class="panel" id="devices"><h2>${words.devices}</h2><p>${words.devicesWhy}</p>
${listed.length > 0 && html`<ul class="plain">${listed}</ul>`}
<p><button type="button" id="tell-here" data-key="${await pushKey(serving)}" hidden>${words.tellHere}</button></p>
<p id="tell-here-told" class="warning" role="alert" data-failed="${words.tellHereFailed}" data-blocked="${words.tellHereBlocked}" data-unable="${words.tellHereUnable}" hidden></p>
${trusted(`<script type="module" src="${assetPath("push.js")}"></script>`)}</section>`;
}

import { ownVersion } from "../../config/version.ts";
import type { Offer } from "../../core/standing/pin.ts";
import { visible } from "../../core/values/text.ts";
import type { UpstreamSettings } from "../../mcp/upstream.ts";
import { Failure, report } from "../failure.ts";
import type { OpenedGate } from "../gate/database.ts";
import { prove } from "../person.ts";
import { type CommandInput, flag } from "../spec.ts";
import { askYesNo } from "../terminal/prompt.ts";
import { wrap } from "../terminal/table.ts";
import { offerLines, offerSummary } from "../views/offer-view.ts";

/** Shows the offers, asks once about all of them, and accepts them in the name of a person who proved who they are. */
export async function acceptOffers(
  given: CommandInput,
  deps: OpenedGate,
  offers: readonly Offer[],
): Promise<readonly Offer[]> {
  if (offers.length === 0) return [];
  const isFull = flag(given, "full");
  for (const offer of offers) {
    const { of, name, upstream } = offer;
    given.out.note(`${given.out.colours.bold(visible(`${upstream}: ${of} ${of === "tool" ? name : ""}`))}`);
    const lines = isFull ? offerLines(offer) : offerSummary(offer);
    given.out.note(lines.map((line) => (isFull ? `  ${line}` : wrap(line, given.out.width, "  "))).join("\n"));
  }
  if (!isFull) given.out.note("`leeway mcp pin --full` shows the whole definitions.");
  const count = offers.length === 1 ? "this" : `all ${offers.length} of these`;
  if (!(await askYesNo(given.io, `Accept ${count}? Agents read these texts and act on them.`, false))) return [];
  const { name } = await prove(given, deps, "accept them");
  const { acceptOffer } = await import("../../gate/standing/accept-offer.ts");
  for (const offer of offers) {
    const done = await acceptOffer(deps, offer, { by: name, assurance: "tty" });
    if (!done.ok) throw new Failure(5, `${offer.name} was not accepted: ${done.why}`, "the others before it were");
  }
  return offers;
}

/** What a server offers that nobody has accepted; undefined if it failed, which is said. The others are then looked at all the same. */
export async function offersOf(
  given: CommandInput,
  deps: OpenedGate,
  upstream: UpstreamSettings,
  isAlone: boolean,
): Promise<readonly Offer[] | undefined> {
  const { lookAt } = await import("../../mcp/look.ts");
  const note = (said: string) => given.out.note(said.trimEnd());
  try {
    return await lookAt(deps, upstream, { version: ownVersion(), note, isAlone });
  } catch (error) {
    const isHelpful = !(error instanceof Error) || "hint" in error;
    report(given.io, isHelpful ? error : new Failure(1, error.message, CHECK_IT));
    return undefined;
  }
}

const CHECK_IT = "check its command or its address; what it wrote itself stands above";

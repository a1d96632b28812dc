import { ChannelFailure } from "../ports.ts";

/** What an error of a service means for a message, and what somebody can do about it. */
export type Meaning = readonly [kind: ChannelFailure["kind"], why: string];

/**
 * A failure that the service named. In the tables of services, `down` stops every message until somebody repairs it, and
 * nothing is lost meanwhile; `refused` concerns this message or this place alone, `gone` this account, and `busy` asks to wait.
 */
export class ServiceFailure extends ChannelFailure {
  /** The service's own name of it. */
  readonly code: string;

  /** `said`: what the service said, which is shown in brackets. */
  constructor(code: string | number, [kind, why]: Meaning, said: string, retryAfterMs?: number) {
    super(kind, why === "" ? said : `${why} (${said})`, retryAfterMs);
    this.code = String(code);
  }
}

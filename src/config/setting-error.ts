/** A setting that cannot be used: what is wrong, and what to do about it. */
export class SettingError extends Error {
  override name = "SettingError";
  readonly hint: string;
  constructor(message: string, hint: string) {
    super(`${message}; ${hint}`);
    this.hint = hint;
  }
}

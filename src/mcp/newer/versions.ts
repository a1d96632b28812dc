/** The protocol without `initialize` and without sessions. */
export const NEWER = "2026-07-28";
/** The protocol with both. */
export const OLDER: readonly string[] = ["2025-11-25", "2025-06-18", "2025-03-26"];

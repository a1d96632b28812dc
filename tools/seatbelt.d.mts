import type { Walls } from "../src/core/box.ts";

/** What was found on the disk, as for Linux: paths without links. */
type SeatbeltPlaces = { hidden: readonly string[]; kept: readonly string[]; temporary: string };

export function seatbeltProfile(walls: Walls, places: SeatbeltPlaces): string;

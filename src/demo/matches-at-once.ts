/** How many matches the demo plays at the same time. A lane is a series of matches that do not overlap. */

/** Number of league matches that the demo plays at the same time. */
export const LANES = 4;
/** Time between the starts of two lanes' matches. */
export const LANE_OFFSET_MS = 40_000;
/** Time from the start of one match in a lane to the start of the next. It is longer than any match at the demo's speed. */
export const LANE_CYCLE_MS = 390_000;
/** Number of matches in other sports that are live at the same time. Each lane plays every fourth sport. */
export const SPORT_LANES = 4;

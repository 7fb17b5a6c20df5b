/** How many matches the demo plays at the same time. A lane plays one match after another. */

/** League matches that the demo plays at the same time. */
export const LANES = 4;
/** Time between two match starts in one wave. */
export const LANE_OFFSET_MS = 40_000;
/** Time from one match in a lane to the next. Longer than the longest match at the demo's speed. */
export const LANE_CYCLE_MS = 390_000;
/** Matches in further sports that are live at the same time. Each lane plays every fourth sport. */
export const SPORT_LANES = 4;

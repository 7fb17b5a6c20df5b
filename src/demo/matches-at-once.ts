/** How many matches the demo plays at the same time. A lane plays one match after the other. */

/** League matches that the demo plays at the same time. */
export const LANES = 4;
/** Time between the starts of the matches of one wave. */
export const LANE_OFFSET_MS = 40_000;
/** Time from one match of a lane to its next: longer than the longest match at the demo's speed. */
export const LANE_CYCLE_MS = 390_000;
/** Matches of other sports that are live at the same time: lane by lane, each has every fourth sport. */
export const SPORT_LANES = 4;

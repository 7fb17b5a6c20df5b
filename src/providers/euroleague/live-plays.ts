/** Reads the plays from a PlaybyPlay reply, in playing order. Pure. */

import { lookUp } from '../reader.ts';
import type { Side } from '../side.ts';
import { personName } from './player-name.ts';
import { elapsedSeconds, PERIOD_ENDS, type Play } from './plays.ts';
import { PLAY_LISTS, type PlayByPlayReply, type PlayReply } from './replies.ts';

const QUARTERS = 4;
const OVERTIME_MINUTES = 5;
const FIRST_OVERTIME_MINUTE = 41;

/**
 * Returns the number of the overtime in which a play happened. All overtimes are in one list, where only the minute
 * tells them apart. The play that ends an overtime already has the first minute of the next one.
 */
function overtimeNumber({ MINUTE, PLAYTYPE }: PlayReply): number {
  const minute = (MINUTE ?? FIRST_OVERTIME_MINUTE) - (PERIOD_ENDS.has(PLAYTYPE) ? 1 : 0);
  return QUARTERS + 1 + Math.max(0, Math.floor((minute - FIRST_OVERTIME_MINUTE) / OVERTIME_MINUTES));
}

/**
 * Returns the plays in playing order. The source's list has this order, except that plays that were added later are
 * near the end of the quarter. A play's number does not show its place.
 */
export function readPlays(reply: PlayByPlayReply): Play[] {
  const sides: Record<string, Side> = { [reply.CodeTeamA]: 'home', [reply.CodeTeamB]: 'away' };
  return PLAY_LISTS.flatMap((list, index) => {
    let before = 0;
    const plays = reply[list].map((play): { play: Play; at: number } => {
      const quarter = list === 'ExtraTime' ? overtimeNumber(play) : index + 1;
      const second = elapsedSeconds(play.MARKERTIME ?? '', quarter);
      const side = lookUp(sides, play.CODETEAM ?? '') ?? null;
      // Plays that start or end a quarter have no clock time.
      before = second ?? (PERIOD_ENDS.has(play.PLAYTYPE) ? Number.MAX_SAFE_INTEGER : before);
      return {
        play: {
          number: play.NUMBEROFPLAY,
          quarter,
          second,
          type: play.PLAYTYPE,
          side,
          player:
            side && play.PLAYER
              ? { ...(play.PLAYER_ID && { id: play.PLAYER_ID }), name: personName(play.PLAYER) }
              : null,
        },
        at: before,
      };
    });
    return plays.sort((a, b) => a.play.quarter - b.play.quarter || a.at - b.at).map(({ play }) => play);
  });
}

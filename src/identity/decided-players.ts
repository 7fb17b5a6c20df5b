/** Reviewed decisions about player names, in data/identity/named-players.csv. */
import { foldName } from '../db/fold-name.ts';
import { identifyParticipant, storedKey } from './entity-keys.ts';
import { mergeRows } from './merges.ts';
import type { Decisions } from './player-links.ts';

let decisions: Decisions | undefined;

export function decidedPlayers(): Decisions {
  decisions ??= new Map(
    mergeRows('named-players.csv').map(({ sport, team_country, team, name, birth_date, player }) => {
      const teamKey = storedKey(identifyParticipant({ type: 'team', sport, country: team_country, name: team }));
      const person = player
        ? storedKey(identifyParticipant({ type: 'player', sport, name: player, birth_date }))
        : null;
      return [`${sport}|${teamKey}|${foldName(name)}`, person];
    }),
  );
  return decisions;
}

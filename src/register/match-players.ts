/** Decides which entries of a register mean which of our players, among persons born on one day. Pure. */
import { foldName } from '../db/fold-name.ts';
import { FIT, type Fit, matchName, readName } from '../identity/player-names.ts';
import { type Decision, type Entry, inDoubt, linked } from './decision.ts';

export interface Player {
  id: number;
  country: string | null;
  /** All names, as written. */
  names: readonly string[];
}

interface Fitting {
  player: Player;
  entry: Entry;
  fit: Fit;
}

/**
 * On the same birth date, the same words are enough. A name with initials, or in another spelling, needs a country that does not
 * contradict.
 */
function fitPlayer(player: Player, entry: Entry): Fit {
  const full = [entry.name, entry.full_name].flatMap((name) => (name ? [foldName(name).split(' ')] : []));
  const written = player.names.map(readName);
  const fit = Math.max(FIT.none, ...written.flatMap((name) => full.map((words) => matchName(name, words)))) as Fit;
  if (fit === FIT.full) return fit;
  const { country } = player;
  return fit >= FIT.similar && (country === null || entry.countries.length === 0 || entry.countries.includes(country))
    ? fit
    : FIT.none;
}

/** @param entries and players: all that were born on the same day */
export function decidePlayers(entries: readonly Entry[], players: readonly Player[]): Decision[] {
  const fitting = players.flatMap((player) =>
    entries
      .map((entry): Fitting => ({ player, entry, fit: fitPlayer(player, entry) }))
      .filter(({ fit }) => fit > FIT.none),
  );
  const best = <K extends 'player' | 'entry'>(of: K, value: Fitting[K]): Fitting[] => {
    const own = fitting.filter((one) => one[of] === value);
    const most = Math.max(...own.map(({ fit }) => fit));
    return own.filter(({ fit }) => fit === most);
  };
  return [...new Set(fitting.map(({ entry }) => entry))].map((entry) => {
    const ours = best('entry', entry).map(({ player }) => player);
    const ids = ours.map(({ id }) => id);
    if (ids.length > 1) return inDoubt(entry.register_id, 'several_of_ours', ids);
    const entries = best('player', ours[0]!);
    return entries.length === 1 && entries[0]!.entry === entry
      ? linked(entry.register_id, ids[0]!, 'name')
      : inDoubt(entry.register_id, 'several_entries', ids);
  });
}

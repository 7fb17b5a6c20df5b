/** Names matchdays in leagues and rounds in cups. Pure. */
import type { MatchInput } from '../../wire/feed-update.ts';
import type { MatchReply } from './replies.ts';

type Round = Pick<MatchInput, 'round_num' | 'round_name' | 'group_name'>;

const CUP_ROUNDS: readonly [RegExp, string][] = [
  [/sechzehntelfinale/iu, 'Round of 32'],
  [/achtelfinale/iu, 'Round of 16'],
  [/viertelfinale/iu, 'Quarter-finals'],
  [/halbfinale/iu, 'Semi-finals'],
  [/spiel um platz 3/iu, 'Third place match'],
  [/finale/iu, 'Final'],
];

export function readRound({ group: { groupName, groupOrderID } }: MatchReply): Round {
  const name = groupName ?? '';
  const matchday = /^(\d{1,3})\. Spieltag$/u.exec(name)?.[1];
  if (matchday !== undefined) return { round_num: Number(matchday), round_name: `Matchday ${matchday}` };
  const round = /^(\d{1,2})\. (?:Haupt)?[Rr]unde$/u.exec(name)?.[1];
  if (round !== undefined) return { round_num: Number(round), round_name: `Round ${round}` };
  const group = /^Gruppe ([A-Z])$/u.exec(name)?.[1];
  if (group !== undefined) return { group_name: `Group ${group}` };
  const cupRound = CUP_ROUNDS.find(([pattern]) => pattern.test(name))?.[1];
  if (cupRound !== undefined) return { round_num: null, round_name: cupRound };
  return name === '' ? { round_num: groupOrderID } : { round_num: null, round_name: name.slice(0, 200) };
}

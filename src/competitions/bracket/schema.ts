/** Bracket wire format. */
import { z } from 'zod';
import { id } from '../../wire/match.ts';

const NO_BRACKET = ['no_rounds', 'no_knockout'] as const;

const text = z.string().nullable();
const team = z
  .strictObject({
    participant_id: id.nullable(),
    name: text.meta({
      description: "Name on the day of the side's last match in the season; null if the side is not known yet",
    }),
    name_ru: text,
    code: text.meta({ description: "A national team's FIFA code, or a club's code at a provider" }),
    bye: z.boolean().meta({
      description:
        'True if the side skipped the previous round, although other sides in this round had to play it. A play-in is not counted',
    }),
  })
  .meta({ id: 'BracketTeam' });

const points = z.int().min(0).nullable();
const leg = z
  .strictObject({
    event_id: id.nullable().meta({ description: 'Null for a leg that must exist but is unknown' }),
    home_score: points,
    away_score: points,
  })
  .meta({
    id: 'BracketLeg',
    description: "The first and the second team's score, whichever was the host",
  });

const matchup = z
  .strictObject({
    finished: z.boolean().meta({ description: 'Whether the tie is decided' }),
    result: text.meta({
      description:
        'How the tie was decided, with extra time, penalties, replays and aggregates: `3:3 after extra time, 4:2 on penalties`; `5:4 on aggregate`; `1:1 after extra time; 1:0 in the replay`; `3:2 in the series`. Null before the end, and if no match tells how the tie was decided',
    }),
    home_score: text.meta({
      description:
        'Score of the first team: in the deciding match, in both legs together, or games won in a series; without shoot-outs',
    }),
    away_score: text.meta({ description: "The second team's score" }),
    teams: z.array(team).length(2).meta({ description: 'The host of the first match comes first' }),
    winner_id: id.nullable().meta({
      description:
        'The team that advances or wins the cup, according to the matches. If they do not tell, according to the teams in a later round; null if these do not tell either',
    }),
    event_ids: z.array(id).meta({ description: 'All matches between the two, oldest first, including abandoned ones' }),
    legs: z.array(leg),
  })
  .meta({ id: 'BracketMatchup' });

export const bracket = z
  .strictObject({
    tournament_id: id,
    tournament: z.string(),
    season_id: id.nullable(),
    season_label: text,
    rounds: z
      .array(z.strictObject({ name: z.string(), matchups: z.array(matchup) }).meta({ id: 'BracketRound' }))
      .meta({ description: 'In playing order, the final last' }),
    reason: z.enum(NO_BRACKET).optional().meta({
      description:
        'Only with empty `rounds`. no_rounds: no source names the rounds of this season, and its matches do not show them; no_knockout: none of its rounds is known to be a knock-out round, or there is none yet',
    }),
  })
  .meta({ id: 'Bracket' });

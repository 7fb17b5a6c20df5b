/** Wire format of brackets. */
import { z } from 'zod';
import { id } from '../../wire/match.ts';

const NO_BRACKET = ['no_rounds', 'no_knockout'] as const;

const text = z.string().nullable();
const team = z
  .strictObject({
    participant_id: id.nullable(),
    name: text.meta({
      description: "On the day of the side's last match in the season. Null for a side that is not known yet",
    }),
    name_ru: text,
    code: text.meta({ description: 'FIFA code of a national team, or the code that a provider gives the club' }),
    bye: z.boolean().meta({
      description: 'True where the side did not have to play the round before, although others of this round did',
    }),
  })
  .meta({ id: 'BracketTeam' });

const points = z.int().min(0).nullable();
const leg = z
  .strictObject({
    event_id: id.nullable().meta({ description: 'Null for a leg that must exist, but is not known' }),
    home_score: points,
    away_score: points,
  })
  .meta({
    id: 'BracketLeg',
    description: 'Scores are those of the first and of the second team, whoever was the host',
  });

const matchup = z
  .strictObject({
    finished: z.boolean().meta({ description: 'Whether it is decided' }),
    result: text.meta({
      description:
        'Names extra time, penalties, replays and aggregates: `3:3 after extra time, 4:2 on penalties`; `5:4 on aggregate`; `1:1 after extra time; 1:0 in the replay`; `3:2 in the series`. Null before it is finished, and where no match says how it was decided',
    }),
    home_score: text.meta({
      description:
        'Of the first team: the score of the match that decides, of both legs together, or the games won in a series; without shoot-outs',
    }),
    away_score: text.meta({ description: 'Of the second team' }),
    teams: z.array(team).length(2).meta({ description: 'First the host of the first match' }),
    winner_id: id.nullable().meta({
      description:
        'Who goes on, or wins the cup; by the matches, and where they do not say, by who plays in a later round. Null where neither tells',
    }),
    event_ids: z.array(id).meta({ description: 'All matches of the two, oldest first, abandoned ones included' }),
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
      .meta({ description: 'In the order in which they are played, the final last' }),
    reason: z.enum(NO_BRACKET).optional().meta({
      description:
        'Only with empty `rounds`. no_rounds: no source names the rounds of this season; no_knockout: none of its rounds is known to be a knock-out round, or there is none yet',
    }),
  })
  .meta({ id: 'Bracket' });

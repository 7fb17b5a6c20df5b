/** Wire shape of transfers. */
import { z } from 'zod';
import { id } from '../wire/match.ts';
import { wireDay as day } from '../wire/time.ts';
import { DATE_PRECISIONS } from './moves-from-lineups.ts';
import { TRANSFER_TYPES } from './transfer.ts';

const name = z.string().nullable();

const transfer = z
  .strictObject({
    date: day.nullable().meta({
      description: 'For a derived move: `seen_on` if the transfer window is known, otherwise null',
    }),
    date_precision: z.enum(DATE_PRECISIONS).meta({
      description:
        '`day`: a source lists the day of the move. The rest are for derived moves. `window`: line-ups show the move, which fell into a transfer window after the last appearance for the former club; `season`: only goals or cards without line-ups show the move, which may be months earlier; `unknown`: the player had not appeared for a club for more than a season',
    }),
    seen_on: day.nullable().meta({
      description:
        'For a derived move: day of the first appearance for the new club, to which the player moved before or on that day',
    }),
    season: z
      .string()
      .nullable()
      .meta({
        description: 'For a derived move: season of the first appearance for the new club',
        examples: ['2023/24'],
      }),
    type: z.enum(TRANSFER_TYPES),
    player_id: id,
    player_name: z.string(),
    player_name_ru: name,
    from_team_id: id.nullable().meta({ description: 'Null for a club that is not in the catalogue' }),
    from_team: name.meta({
      description: 'The name of the club on that day; null if there is no club, or if it is unknown',
    }),
    from_team_ru: name,
    to_team_id: id.nullable(),
    to_team: name,
    to_team_ru: name,
    loan_until: day.nullable().meta({ description: "A loan's agreed last day" }),
    fee: z.number().min(0).nullable().meta({ description: '0 if free; null if unknown' }),
    fee_currency: z
      .string()
      .regex(/^[A-Z]{3}$/)
      .nullable()
      .meta({ description: 'ISO 4217' }),
    derived: z
      .boolean()
      .meta({ description: 'True if no source lists this move, but the player appears for a different club' }),
  })
  .meta({ id: 'Transfer' });

export const transfers = z
  .strictObject({
    participant_id: id,
    type: z.enum(['player', 'team']),
    count: z.int().min(0).meta({ description: 'Items in this page' }),
    total: z.int().min(0).meta({ description: 'Items in all pages' }),
    transfers: z.array(transfer),
  })
  .meta({ id: 'Transfers' });

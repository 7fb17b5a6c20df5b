/**
 * A recording: one whole match, written down so that it can be played live again.
 *
 * The head describes the match; `periods` has the real length of each half, so that a match minute (`45+7`) can be
 * converted to seconds since kick-off; `timeline` has the events, each at its match minute. Everything that can be
 * derived from these (the score, period scores, shot counts, expected goals, player statistics) is computed by
 * `recordingStates`, never written twice. The rest (possession, corners, fouls) is in `statistics` as the total of each
 * period and grows evenly while that period is played. The file is YAML or JSON.
 */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { z } from 'zod';
import { participantRef, tournamentRef, venueRef } from '../../wire/feed-update.ts';
import { detailBlocks, sideName } from '../../wire/match.ts';

const RECORDING_FORMAT = 1;

const text = z.string().min(1).max(200);
const percent = z.number().min(0).max(100);
/** A match minute: `23`, in added time `45+7`; in a shoot-out the kick: `P3`. */
const matchMinute = z
  .union([z.int().min(1).transform(String), z.string()])
  .refine((value) => /^(\d{1,3}(\+\d{1,2})?|P\d{1,2})$/.test(value), 'must be 23, 45+7 or P3');

const moment = {
  at: matchMinute,
  /** Seconds into that minute. */
  second: z.int().min(0).max(59).default(30),
  comment: z.string().min(1).max(1_000).optional(),
  comment_ru: z.string().min(1).max(1_000).optional(),
};
const shotPlace = {
  xg: z.number().min(0).max(1).nullable().default(null),
  situation: z.string().nullable().default(null),
  body: z.string().nullable().default(null),
  /** 0 to 100: along the pitch towards the attacked goal, and across it. */
  x: percent.nullable().default(null),
  y: percent.nullable().default(null),
};
const bySide = { side: sideName, player: text };

const timelineEntry = z.discriminatedUnion('kind', [
  z.strictObject({
    ...moment,
    kind: z.literal('goal'),
    ...bySide,
    assist: text.optional(),
    type: z.enum(['regular', 'penalty', 'own_goal']).default('regular'),
    ...shotPlace,
  }),
  z.strictObject({
    ...moment,
    kind: z.literal('shot'),
    ...bySide,
    outcome: z.enum(['save', 'miss', 'block', 'post']),
    ...shotPlace,
  }),
  z.strictObject({
    ...moment,
    kind: z.literal('card'),
    ...bySide,
    card: z.enum(['yellow', 'second_yellow', 'red']),
    reason: text.optional(),
  }),
  z.strictObject({ ...moment, kind: z.literal('substitution'), side: sideName, out: text, in: text }),
  z.strictObject({ ...moment, kind: z.literal('var'), side: sideName, player: text.optional(), decision: text }),
  /** The board with the minutes added to the period. */
  z.strictObject({ ...moment, kind: z.literal('added_time'), minutes: z.int().min(1).max(30) }),
  /** One kick of a shoot-out. */
  z.strictObject({ ...moment, kind: z.literal('kick'), ...bySide, outcome: z.enum(['scored', 'save', 'miss']) }),
  /** A line of commentary without a counted event. */
  z.strictObject({ ...moment, kind: z.literal('note'), side: sideName.optional(), player: text.optional() }),
]);

/** `[shirt number, position, name]`, and the date of birth if known. */
const player = z.union([
  z.tuple([z.int().min(0).max(99), text, text]),
  z.tuple([z.int().min(0).max(99), text, text, z.iso.date()]),
]);
const sheet = z.strictObject({
  formation: z.string().max(30),
  coach: text,
  coach_ru: text.optional(),
  eleven: z.array(player).length(11),
  bench: z.array(player).max(30),
});

const period = z.strictObject({
  period: z.enum(['1H', '2H', 'ET', 'PEN']),
  /** Match minutes: the first half is 0 to 45, the second half of extra time 105 to 120. */
  from: z.int().min(0),
  to: z.int().min(0),
  /** Actual length in minutes, including added time. */
  lasts: z.number().positive().max(120),
  /** Minutes until the next period. */
  break: z.number().min(0).max(60).default(0),
});

export const recordingSchema = z
  .strictObject({
    format: z.literal(RECORDING_FORMAT),
    name: z.string().regex(/^[a-z0-9-]{1,80}$/),
    title: text,
    sport: z.literal('football'),
    tournament: tournamentRef,
    season: z.strictObject({ label: z.string().regex(/^\d{4}(\/\d{2})?$/) }),
    round_num: z.int().nullable().default(null),
    round_name: text.nullable().default(null),
    /** Whether a level score is settled by extra time and a shoot-out. */
    knockout: z.boolean().default(false),
    kick_off: z.iso.datetime(),
    home: participantRef,
    away: participantRef,
    venue: venueRef.nullable().default(null),
    referee: text.nullable().default(null),
    attendance: z.int().min(0).nullable().default(null),
    importance: z.int().min(0).max(100).nullable().default(null),
    /**
     * Minutes before kick-off at which line-ups are published and confirmed; a match is listed `listed` minutes before.
     */
    before: z
      .strictObject({ listed: z.number().positive(), lineups: z.number().positive(), confirmed: z.number().positive() })
      .default({ listed: 20, lineups: 15, confirmed: 8 }),
    /** Expected goals of a whole match, for the win probability before and during it. */
    strengths: z.strictObject({ home: z.number().positive(), away: z.number().positive() }),
    sheets: z.strictObject({ home: sheet, away: sheet }),
    missing_players: detailBlocks.missing_players.default([]),
    best_players: detailBlocks.best_players.default([]),
    periods: z.array(period).min(2),
    /** Totals of one period; a `percent` is a share and does not grow. */
    statistics: z
      .array(
        z.strictObject({
          period: z.enum(['1H', '2H', 'ET']),
          group: text,
          name: text,
          home: z.number().min(0),
          away: z.number().min(0),
          unit: z.enum(['count', 'percent']).default('count'),
        }),
      )
      .default([]),
    /** One value per match minute, −100 to 100, positive when the home side presses. */
    momentum: z.array(z.int().min(-100).max(100)).default([]),
    timeline: z.array(timelineEntry),
  })
  .superRefine((recording, ctx) => {
    const fault = (path: (string | number)[], message: string) => ctx.addIssue({ code: 'custom', path, message });
    for (const [index, entry] of recording.timeline.entries()) {
      if (findPeriod(recording.periods, entry.at) === null)
        fault(['timeline', index, 'at'], 'is in none of the periods');
      for (const name of mentionedPlayers(entry)) {
        const side = 'side' in entry ? entry.side : undefined;
        if (side && !sheetNames(recording.sheets[side]).includes(name)) {
          fault(['timeline', index], `${name} is not on the team sheet of the ${side} side`);
        }
      }
    }
  });

export type Recording = z.infer<typeof recordingSchema>;
export type RecordingInput = z.input<typeof recordingSchema>;
export type TimelineEntry = Recording['timeline'][number];
export type Period = Recording['periods'][number];
export type Sheet = Recording['sheets']['home'];
export type Side = 'home' | 'away';
export const SIDES = ['home', 'away'] as const;

const sheetNames = (teamSheet: { eleven: z.infer<typeof player>[]; bench: z.infer<typeof player>[] }) =>
  [...teamSheet.eleven, ...teamSheet.bench].map(([, , name]) => name);

function mentionedPlayers(entry: TimelineEntry): string[] {
  if (entry.kind === 'substitution') return [entry.out, entry.in];
  const named = 'player' in entry && entry.player ? [entry.player] : [];
  if (entry.kind === 'goal')
    return entry.type === 'own_goal' ? [] : [...named, ...(entry.assist ? [entry.assist] : [])];
  return named;
}

export type PlayerRef = { name: string; birth_date?: string; id?: string };

/** Returns the reference to a player of the team sheet: with the birth date if known, otherwise with a generated id. */
export function playerRef(recording: Recording, side: Side, name: string): PlayerRef {
  const sheet = recording.sheets[side];
  const player = [...sheet.eleven, ...sheet.bench].find(([, , known]) => known === name);
  return player?.[3]
    ? { name, birth_date: player[3] }
    : { name, id: `${recording[side].id ?? recording[side].name}/${name}` };
}

/** Returns minute and added minute of `45+7`; for a kick, its number. */
export function parseMinute(at: string): { minute: number; plus: number | null; kick: number | null } {
  if (at.startsWith('P')) return { minute: 0, plus: null, kick: Number(at.slice(1)) };
  const [minute, plus] = at.split('+');
  return { minute: Number(minute), plus: plus === undefined ? null : Number(plus), kick: null };
}

/** The index of the period that a match minute belongs to; null when there is none. */
export function findPeriod(
  periods: readonly { period: string; from: number; to: number }[],
  at: string,
): number | null {
  const { minute, kick } = parseMinute(at);
  const index = periods.findIndex((one) =>
    kick === null ? one.period !== 'PEN' && one.from < minute && minute <= one.to : one.period === 'PEN',
  );
  return index === -1 ? null : index;
}

/** Reads a recording from YAML or JSON text; throws a ZodError that names each fault, or a YAML error. */
export const parseRecording = (source: string): Recording => recordingSchema.parse(parse(source));

/** Reads a recording file. */
export const loadRecording = async (path: string): Promise<Recording> => parseRecording(await readFile(path, 'utf8'));

/** The recordings that come with Touchline, by name. */
export const SHIPPED_RECORDINGS = ['world-cup-final-2022'] as const;
export const shippedRecording = (name: (typeof SHIPPED_RECORDINGS)[number]): Promise<Recording> =>
  loadRecording(fileURLToPath(new URL(`../../../data/demo/${name}.yaml`, import.meta.url)));

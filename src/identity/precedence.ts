/**
 * Source precedence. Each field or block of an entity belongs to the best-ranked provider that has sent it, so the result
 * does not depend on the import order. The order is data, in data/precedence.yaml or in the operator's file with the same
 * format.
 */
import { readFileSync } from 'node:fs';
import { parseDocument } from 'yaml';
import { z } from 'zod';
import { detailBlocks } from '../wire/match.ts';

export interface Precedence {
  /** Listed live providers, best first. */
  live: readonly string[];
  /** Polled public sources, best first. They are live, and rank below every feed. */
  polled: readonly string[];
  /** History sources, best first. */
  history: readonly string[];
  /**
   * Returns a provider's rank. A lower rank is better. Two providers have the same rank only if both are unlisted live feeds.
   * `block` is a block or field group.
   */
  rankOf(provider: string, block?: Block): number;
  /** True if the provider reports the present, not history. */
  isLive(provider: string): boolean;
  /** True if live feeds have an order of their own for a block. */
  ordersLive(block: Block): boolean;
  /** Each listed provider's attribution, which is shown with the provider's data. An unlisted provider is credited by id. */
  attributions: { provider: string; attribution: string }[];
}

/**
 * Blocks and field groups that may have an order of their own. `state` covers status, score, minute and finality, and `start`
 * is the kick-off. `capacity` is a venue's; `venue` covers the rest.
 */
export const BLOCKS = [
  'sides',
  'start',
  'round',
  'state',
  'venue',
  'capacity',
  'referee',
  'attendance',
  'importance',
  'lineup_confirmed',
  'weather',
  'name',
  ...(Object.keys(detailBlocks) as (keyof typeof detailBlocks)[]),
] as const;
export type Block = (typeof BLOCKS)[number];

/** The provider name for corrections by hand, which rank first. Neither a feed nor a precedence list may use it. */
export const OPERATOR_PROVIDER = 'operator';

const provider = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,49}$/, 'must be lower-case letters, digits, dots, dashes and underscores');
const order = z.array(provider).superRefine((providers, ctx) => {
  for (const [index, name] of providers.entries()) {
    if (name === OPERATOR_PROVIDER)
      ctx.addIssue({ code: 'custom', path: [index], message: `${name} always comes first, so it cannot be listed` });
    if (providers.indexOf(name) < index)
      ctx.addIssue({ code: 'custom', path: [index], message: `${name} is listed twice` });
  }
});
const file = z.strictObject({
  live: order.optional(),
  polled: order.optional(),
  history: order.optional(),
  blocks: z
    .record(z.string(), order)
    .superRefine((blocks, ctx) => {
      for (const block of Object.keys(blocks)) {
        if (!BLOCKS.some((one) => one === block))
          ctx.addIssue({ code: 'custom', path: [block], message: `is not a block; blocks are ${BLOCKS.join(', ')}` });
      }
    })
    .optional(),
  attributions: z.record(provider, z.string().trim().min(1).max(500)).optional(),
});
type File = z.infer<typeof file>;

const LIVE_RANK = 0;

const builtInFile = parseDocument(readFileSync(new URL('../../data/precedence.yaml', import.meta.url), 'utf8'));

/**
 * Parses a file in the data/precedence.yaml format. Reports every error with its position. @example environment variable:
 * `PRECEDENCE: precedence.optional()`
 */
export const precedence = z.string().transform((text, ctx): Precedence => {
  const document = parseDocument(text);
  for (const { message } of document.errors)
    ctx.addIssue({ code: 'custom', message: `not YAML: ${message.split('\n')[0]}` });
  if (document.errors.length > 0) return z.NEVER;
  const given = file.safeParse(document.toJS() ?? {});
  if (!given.success) {
    for (const { path, message } of given.error.issues) ctx.addIssue({ code: 'custom', path, message });
    return z.NEVER;
  }
  const whole = withDefaults(given.data);
  const faults = contradictions(whole);
  for (const { path, message } of faults) ctx.addIssue({ code: 'custom', path, message });
  return faults.length > 0 ? z.NEVER : toPrecedence(whole);
});

const defaults = file.required().parse(builtInFile.toJS());

const withDefaults = (given: File): Required<File> => ({
  ...defaults,
  // Leaves out polled sources that the file lists as live or history, as a file for an earlier release may do.
  polled: defaults.polled.filter((name) => ![...(given.live ?? []), ...(given.history ?? [])].includes(name)),
  ...given,
  // The built-in attributions stay, because the licences require them whatever the provider order is.
  attributions: { ...defaults.attributions, ...given.attributions },
});

function contradictions({ live, polled, history, blocks }: Required<File>) {
  const faults: { path: (string | number)[]; message: string }[] = [];
  for (const [index, name] of live.entries()) {
    if (history.includes(name)) faults.push({ path: ['live', index], message: `${name} is also listed in history` });
  }
  for (const [index, name] of polled.entries()) {
    const other = live.includes(name) ? 'live' : history.includes(name) ? 'history' : null;
    if (other !== null) faults.push({ path: ['polled', index], message: `${name} is also listed in ${other}` });
  }
  for (const name of defaults.history) {
    // Without this error, a provider missing from the lists would count as a live feed and win over the polled and the history sources.
    if (!history.includes(name) && !live.includes(name) && !polled.includes(name))
      faults.push({ path: ['history'], message: `${name} is missing: every importer must be listed` });
  }
  for (const [block, names] of Object.entries(blocks)) {
    for (const [index, name] of names.entries()) {
      if (!live.includes(name) && !polled.includes(name) && !history.includes(name))
        faults.push({
          path: ['blocks', block, index],
          message: `${name} must also be listed in live, polled or history`,
        });
    }
  }
  return faults;
}

function toPrecedence({ live, polled, history, blocks, attributions }: Required<File>): Precedence {
  const ranks = (first: readonly string[]): Map<string, number> => {
    const ordered = (names: readonly string[]) => [
      ...first.filter((name) => names.includes(name)),
      ...names.filter((name) => !first.includes(name)),
    ];
    return new Map([
      ...ordered(live).map((name, index): [string, number] => [name, LIVE_RANK - live.length + index]),
      ...[...ordered(polled), ...ordered(history)].map((name, index): [string, number] => [
        name,
        LIVE_RANK + 1 + index,
      ]),
    ]);
  };
  const common = ranks([]);
  const byBlock = new Map<string, Map<string, number>>(
    Object.entries(blocks).map(([block, first]) => [block, ranks(first)]),
  );
  const rankOf = (name: string, block?: Block) => ((block && byBlock.get(block)) ?? common).get(name) ?? LIVE_RANK;
  return {
    live,
    polled,
    history,
    rankOf,
    isLive: (name) => rankOf(name) <= LIVE_RANK || polled.includes(name),
    ordersLive: (block) => blocks[block]?.some((name) => live.includes(name) || polled.includes(name)) ?? false,
    attributions: Object.entries(attributions).map(([name, attribution]) => ({ provider: name, attribution })),
  };
}

/** The default order. */
export const BUILT_IN: Precedence = toPrecedence(defaults);

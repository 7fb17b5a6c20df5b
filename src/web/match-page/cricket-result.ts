/** Writes how an innings and a match of cricket ended. */
import type { Lang } from '../../http/index.ts';
import { nameText } from '../../site/components/index.ts';
import { type Html, html } from '../../site/html.ts';
import { CRICKET, fill } from '../../site/texts/index.ts';
import type { Innings } from '../../wire/innings.ts';
import type { MatchItem } from '../../wire/match.ts';
import type { MatchView } from './match-view.ts';

type Side = 'home' | 'away';
const ALL_OUT = 10;

/** Returns how a batter was out: `c Dhoni b Jadeja`. */
export function dismissalText(
  { kind, bowler, fielders }: { kind: string; bowler: string | null; fielders: readonly string[] },
  lang: Lang,
): Html {
  const text = (CRICKET[lang].how[kind] ?? kind.replaceAll('_', ' ')).replace(
    fielders.length === 0 ? ' ({fielders})' : '',
    '',
  );
  const names: Record<string, string> = { bowler: bowler ?? '', fielders: fielders.join('/') };
  // Names without a Russian form are marked as English, and the words around them are not.
  return html`${text.split(/\{(\w+)\}/).map((part, index) => (index % 2 === 1 ? nameText(names[part] ?? '', lang) : part))}`;
}

const sum = (innings: readonly Innings[], side: Side) =>
  innings.filter(({ batting }) => batting === side).reduce((total, { runs }) => total + runs, 0);

/** Returns `Chennai won by 5 wickets (D/L)`; null before the end, after a super over, and for other sports. */
export function resultText({ item, blocks, names, lang }: MatchView): string | null {
  const innings = (blocks.innings ?? []).filter(({ period }) => period.startsWith('I'));
  const last = innings.at(-1);
  if (item.status !== 'finished' || item.status_detail !== 'ended' || last === undefined) return null;
  const winner = findWinner(item);
  const text = CRICKET[lang];
  if (winner === 'draw') return innings.length > 2 ? text.drawn : text.tied;
  const loser = winner === 'home' ? 'away' : 'home';
  const method = last.target?.method ? ` (${last.target.method})` : '';
  const count = new Intl.PluralRules(lang);
  const margin = (forms: Record<string, string>, value: number) =>
    fill(forms[count.select(value)] ?? forms.other!, { count: value });
  if (last.batting === winner) {
    const left = margin(text.wickets, ALL_OUT - last.wickets);
    return fill(text.won, { team: names[winner], margin: left }) + method;
  }
  const isRevised = last.target !== null && last.target.method !== null;
  const runs = isRevised ? last.target!.runs - 1 - last.runs : sum(innings, winner) - sum(innings, loser);
  const batted = innings.filter(({ batting }) => batting === winner).length;
  const byInnings = innings.length > 2 && batted === 1;
  return (
    fill(byInnings ? text.wonByInnings : text.won, { team: names[winner], margin: margin(text.runs, runs) }) + method
  );
}

function findWinner({ extra, participants }: MatchItem): Side | 'draw' {
  if (extra.winner !== undefined) return extra.winner;
  const score = (side: Side) => participants.find((one) => one.side === side)?.score ?? 0;
  const [home, away] = [score('home'), score('away')];
  return home > away ? 'home' : home < away ? 'away' : 'draw';
}

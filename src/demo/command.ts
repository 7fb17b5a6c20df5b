/** `touchline play`: plays a recording live in a demo tournament. */
import { type ApplyDeps, applyUpdates } from '../apply/index.ts';
import type { Clock } from '../runtime/clock.ts';
import type { FeedUpdate } from '../wire/feed-update.ts';
import { play } from './play.ts';
import { loadRecording, SHIPPED_RECORDINGS, shippedRecording } from './recording.ts';

/** Plays a recording. Resolves when the match is over. Ctrl-C ends it at once. */
export async function playCommand(
  deps: ApplyDeps & { clock: Clock },
  name: string,
  speed: number,
  say: (line: string) => void,
): Promise<void> {
  const shipped = SHIPPED_RECORDINGS.find((one) => one === name);
  const recording = shipped ? await shippedRecording(shipped) : await loadRecording(name);
  const abort = new AbortController();
  process.once('SIGINT', () => abort.abort());
  process.once('SIGTERM', () => abort.abort());
  const matchId = `play-${deps.clock.now()}`;
  say(`Playing ${name} at ${speed}x`);
  await play(
    {
      clock: deps.clock,
      apply: async (updates) => {
        const results = await applyUpdates(deps, updates, { events: true });
        const [[update], [result]] = [updates, results];
        if (update && result?.outcome === 'accepted') say(`match ${result.matchId}: ${describe(update)}`);
        return results;
      },
    },
    recording,
    { matchId, speed, signal: abort.signal, season: { label: String(new Date(deps.clock.now()).getUTCFullYear()) } },
  );
}

function describe(update: FeedUpdate): string {
  if (update.kind !== 'match') return update.kind;
  const { status, status_detail, minute, score } = update.match;
  return `${status_detail ?? status} ${minute == null ? '' : `${minute}' `}${score ? `${score.home}:${score.away}` : '-'}`;
}

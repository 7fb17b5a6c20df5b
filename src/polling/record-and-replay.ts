/** The work behind `touchline record` and `touchline serve-recording`. */
import type { Provider } from '../providers/provider.ts';
import { PROVIDERS } from '../providers/providers.ts';
import { systemClock } from '../runtime/clock.ts';
import { missingConsent, type PollingConfig } from './config.ts';
import { Recorder } from './recorder.ts';
import { createRecording, readRecording } from './recording.ts';
import { startReplayServer } from './replay-server.ts';

/** @throws {Error} with a message in one line */
function findProvider(name: string): Provider {
  const provider = PROVIDERS.find((one) => one.name === name);
  if (provider === undefined)
    throw new Error(`${name} is not a provider; providers are ${PROVIDERS.map((one) => one.name).join(', ')}`);
  return provider;
}

/**
 * Records a source until the signal is aborted.
 * @param sources the sources, such as `openligadb:bl1`, all from one provider
 * @throws {Error} with a message in one line
 */
export async function recordCommand(
  config: PollingConfig,
  sources: readonly string[],
  folder: string,
  signal: AbortSignal,
  say: (line: string) => void,
): Promise<void> {
  const parsed = sources.map((source) => {
    const [name = '', scope = null] = source.split(/:(.*)/su);
    return { name, scope };
  });
  const provider = findProvider(parsed[0]?.name ?? '');
  const other = parsed.find(({ name }) => name !== provider.name);
  if (other !== undefined) throw new Error(`a recording must have one provider, and ${other.name} is a second one`);
  const scopes = parsed.map(({ scope }) => scope);
  for (const [index, scope] of scopes.entries()) {
    const known = provider.start(scope);
    if (typeof known === 'string') throw new Error(`${sources[index]}: ${known}`);
  }
  const missing = missingConsent(provider, config);
  if (missing !== null) throw new Error(missing);
  const url = config.providersUrls[provider.name];
  const writer = await createRecording(folder, {
    format: 1,
    provider: provider.name,
    scopes,
    url: url ?? provider.baseUrl,
    begun_at: new Date().toISOString(),
  });
  say(`Recording ${sources.join(', ')} into ${folder} until Ctrl-C`);
  try {
    const deps = { clock: systemClock, url, contact: config.providersContact, writer, say };
    const requests = await new Recorder(deps, provider, scopes).run(signal);
    say(`Recorded the replies to ${requests} requests`);
  } finally {
    await writer.close();
  }
}

/**
 * Serves a recording until the signal is aborted.
 * @throws {Error} with a message in one line
 */
export async function serveRecordingCommand(
  folder: string,
  options: { speed: number; port: number; asRecorded?: boolean },
  signal: AbortSignal,
  say: (line: string) => void,
): Promise<void> {
  const { about, replies } = await readRecording(folder);
  const [first, last] = [replies[0], replies.at(-1)];
  if (!first || !last) throw new Error(`${folder} has no replies`);
  const { speed, port, asRecorded = false } = options;
  const server = await startReplayServer(replies, { speed, port, moveTimes: !asRecorded, clock: systemClock });
  const minutes = Math.round((last.at - first.at) / 60_000 / speed);
  const sources = about.scopes.map((scope) => (scope === null ? about.provider : `${about.provider}:${scope}`));
  say(
    `Serving ${folder} at ${server.url}, for ${minutes} minutes; after that it repeats its last replies. In another terminal:`,
  );
  say(`  PROVIDERS=${sources.join(',')} PROVIDERS_URLS=${about.provider}=${server.url} touchline serve`);
  if (asRecorded) say(`  with --now ${new Date(first.at).toISOString().slice(0, 19)}Z, the time of the recording`);
  await new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await server.close();
}

/** Reads a source's server-sent events, over one connection. */
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { userAgent } from './request.ts';
import { SourceError } from './source-error.ts';

export interface SourceEvent {
  /** The event's name; `message` if it has none. */
  event: string;
  data: string;
}

/** A connection on which no byte arrives for this long is dead, because sources send comments to keep it open. */
const SILENCE_MS = 120_000;
/** Maximum number of characters in one event. */
const MAX_EVENT_CHARACTERS = 1_048_576;

/**
 * Yields events until the source ends the connection, or `stopped` is aborted.
 * @throws {SourceError}
 */
export async function* readEvents(
  url: URL,
  {
    stopped,
    contact,
    silenceMs = SILENCE_MS,
  }: { stopped: AbortSignal; contact?: string | undefined; silenceMs?: number },
): AsyncGenerator<SourceEvent> {
  const silence = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const alive = () => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(), silenceMs);
  };
  try {
    alive();
    const response = await fetch(url, {
      redirect: 'manual',
      signal: AbortSignal.any([stopped, silence.signal]),
      headers: { 'User-Agent': userAgent(contact), Accept: 'text/event-stream' },
    });
    const type = response.headers.get('content-type') ?? '';
    if (response.status !== 200 || !type.startsWith('text/event-stream')) {
      await response.body?.cancel();
      throw new SourceError('misunderstood', `events: status ${response.status}, ${type || 'no type'}`);
    }
    const watched = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        alive();
        controller.enqueue(chunk);
      },
    });
    const parser = new EventSourceParserStream({ maxBufferSize: MAX_EVENT_CHARACTERS });
    const events = response.body!.pipeThrough(watched).pipeThrough(new TextDecoderStream()).pipeThrough(parser);
    for await (const { event = 'message', data } of events) yield { event, data };
  } catch (error) {
    if (error instanceof SourceError || stopped.aborted) throw error;
    const reason = silence.signal.aborted ? `silent for ${silenceMs / 1_000} s` : ((error as Error).message ?? 'ended');
    throw new SourceError('unreachable', `events: ${reason}`);
  } finally {
    clearTimeout(timer);
  }
}

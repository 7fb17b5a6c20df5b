/**
 * One WebSocket stream. Handles the client's messages, limits their rate, and checks that the client is still
 * connected.
 */
import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';
import type { ChargeInner } from '../http/index.ts';
import type { AdmittedStream } from './admission.ts';
import { MessageRate, MOST_WAITING } from './client-message-rate.ts';
import { answerMessage } from './client-messages.ts';
import { BINARY_MESSAGE, END_CODES, TOO_MANY_MESSAGES } from './close-codes.ts';
import { UNSENT_BYTES } from './connection.ts';
import type { LiveConnection, Owner } from './connection-owner.ts';
import type { StreamDeps } from './deps.ts';
import type { EndReason } from './end-reason.ts';
import { readFilter } from './filter-query.ts';
import { REPLAY_COST, readReplayPage } from './replay-page.ts';

/** A client that has been silent for this long is pinged … */
const SILENCE_BEFORE_PING_MS = 30_000;
/**
 * … and is disconnected if no answer comes within this time. Otherwise a half-open connection would occupy a slot for a
 * quarter of an hour.
 */
const PONG_WITHIN_MS = 30_000;
/** Maximum number of envelope bytes in the answer to one replay message. */
const REPLAY_BYTES = 1024 * 1024;

const drained = (socket: Duplex) =>
  new Promise<void>((resolve) => {
    const done = () => {
      socket.off('drain', done);
      socket.off('close', done);
      resolve();
    };
    socket.on('drain', done);
    socket.on('close', done);
  });

/** A stream's options besides the socket. */
interface Streaming {
  deps: StreamDeps;
  socket: Duplex;
  admitted: AdmittedStream;
  charge: ChargeInner;
}

/** Extends the library's class, so that each client takes only one object. The socket is paused until the hub has opened the connection. */
export class StreamSocket extends WebSocket implements Owner {
  #streaming: Streaming | null = null;
  #connection: LiveConnection | null = null;
  /** The client's message rate. Null until the first message. */
  #rate: MessageRate | null = null;
  /** Continues with the next message in a burst. Null if no message waits. */
  #goOn: (() => void) | null = null;
  #answered: Promise<void> | null = null;
  #unanswered = 0;
  #heardAt = 0;
  /** When the client was pinged. 0 if no pong is expected. */
  #pingedAt = 0;

  /** Handles events without listeners, because a listener table would take more memory than all fields. */
  override emit(event: string | symbol, ...values: unknown[]): boolean {
    // Ignored, because the close frame already reports what was wrong with a malformed frame.
    if (event === 'error') return true;
    if (this.#connection === null) return super.emit(event, ...values);
    if (event === 'message') this.#receive(values[0] as Buffer, values[1] as boolean);
    else if (event === 'ping' || event === 'pong') this.#receiveControl();
    else return super.emit(event, ...values);
    return true;
  }

  /** Starts the stream. Called before the socket is passed to the hub. */
  stream(streaming: Streaming): void {
    this.#streaming = streaming;
    this.#heardAt = streaming.deps.clock.now();
  }

  /** Called when either side closes, and after a malformed frame. No frame may be written after a close frame. */
  override close(code?: number, reason?: string | Buffer): void {
    this.#connection?.leave();
    super.close(code, reason);
    // Resumes reading, since the client's close frame has to be read.
    if (this.isPaused) this.resume();
  }

  opened(connection: LiveConnection): void {
    this.#connection = connection;
    this.resume();
    this.#streaming?.admitted.opened(connection);
  }

  delivered(events: number): void {
    this.#streaming?.admitted.delivered(events);
  }

  left(): void {
    this.#streaming?.admitted.left();
  }

  finish(lastFrames: Buffer, reason: EndReason): void {
    if (lastFrames.length > 0) this.#streaming?.socket.write(lastFrames);
    this.close(...END_CODES[reason]);
  }

  tick(now: number): void {
    if (this.#goOn !== null && !this.#rate!.isFull(now)) {
      const goOn = this.#goOn;
      this.#goOn = null;
      goOn();
    }
    if (this.isPaused) return;
    if (this.#pingedAt !== 0) {
      if (now - this.#pingedAt >= PONG_WITHIN_MS) this.#streaming?.socket.destroy();
    } else if (now - this.#heardAt >= SILENCE_BEFORE_PING_MS) {
      this.#pingedAt = now;
      this.ping();
    }
  }

  #isOpen(): boolean {
    return this.readyState === WebSocket.OPEN;
  }

  #heard(): void {
    this.#heardAt = this.#streaming!.deps.clock.now();
    this.#pingedAt = 0;
  }

  /** Counts a message against the limit. @returns whether the connection stays open */
  #count(): boolean {
    const now = this.#streaming!.deps.clock.now();
    this.#rate ??= new MessageRate(now);
    if (this.#rate.count(now)) this.#closeTooMany();
    return this.#isOpen();
  }

  #closeTooMany(): void {
    this.close(TOO_MANY_MESSAGES, 'too many messages');
  }

  #mustWait(): boolean {
    return this.#rate?.isFull(this.#streaming!.deps.clock.now()) ?? false;
  }

  /** Handles a ping or a pong, which the library has already answered if needed. */
  #receiveControl(): void {
    this.#heard();
    if (!this.#isOpen() || !this.#count() || !this.#mustWait() || this.isPaused) return;
    this.pause();
    this.#goOn = () => this.resume();
  }

  #receive(data: Buffer, isBinary: boolean): void {
    this.#heard();
    if (!this.#isOpen()) return;
    if (isBinary) {
      this.close(BINARY_MESSAGE, 'text only');
      return;
    }
    if (this.#unanswered === MOST_WAITING) {
      this.#closeTooMany();
      return;
    }
    // Messages are answered in order, each after the answer to the one before has been sent. The socket is not read
    // meanwhile.
    this.#unanswered += 1;
    this.pause();
    const before = this.#answered ?? Promise.resolve();
    this.#answered = before.then(() => this.#answer(data.toString()));
  }

  async #answer(text: string): Promise<void> {
    const { deps, socket, admitted, charge } = this.#streaming!;
    const connection = this.#connection!;
    while (this.#isOpen() && this.#mustWait())
      await new Promise<void>((resolve) => {
        this.#goOn = resolve;
      });
    if (this.#isOpen() && this.#count()) {
      await answerMessage(text, {
        connection,
        parseFilter: (query) => readFilter(deps.plans, admitted.principal, query),
        replay: async (since, limit) => {
          // A replay message counts like a REST request, since it does the same work.
          await charge(REPLAY_COST);
          const page = await readReplayPage(deps.eventLog, connection.filter, since, limit, {
            maxBytes: REPLAY_BYTES,
            lastDue: await deps.hub.lastDue(connection.delay),
          });
          deps.hub.metrics.examined('replay', page.examined);
          return page;
        },
      });
    }
    if (socket.writableLength >= UNSENT_BYTES && !socket.destroyed) await drained(socket);
    this.#unanswered -= 1;
    if (this.#unanswered > 0) return;
    this.#answered = null;
    this.resume();
  }
}

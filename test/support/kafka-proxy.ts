/**
 * A TCP proxy in front of a Kafka broker that loses requests and replies at random. The same seed gives the same
 * losses.
 */
import net from 'node:net';

/** Faults that the proxy can cause for a request or its reply. */
export type Fault = 'silence' | 'cut' | 'lost request' | 'late request';
const FAULTS: readonly Fault[] = ['silence', 'cut', 'cut', 'lost request', 'late request'];
const PRODUCE = 0;
/** Delay that exceeds the timeout of the tests' client. */
const LATE_MS = 400;

export interface FaultyProxy {
  faults: Record<Fault, number>;
  /** Sets the share of Produce requests that fail, and the share of other requests that fail. */
  set(rates: { produce: number; others: number }): void;
  close(): Promise<void>;
}

/** Splits a byte stream into frames that begin with their length. */
function frames(onFrame: (frame: Buffer) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 4 && rest.length >= 4 + rest.readInt32BE(0)) {
      const size = 4 + rest.readInt32BE(0);
      onFrame(rest.subarray(0, size));
      rest = rest.subarray(size);
    }
  };
}

export async function startFaultyProxy(port: number, target: number, random: () => number): Promise<FaultyProxy> {
  const faults: FaultyProxy['faults'] = { silence: 0, cut: 0, 'lost request': 0, 'late request': 0 };
  let rates = { produce: 0, others: 0 };
  const sockets = new Set<net.Socket>();
  const timers = new Set<NodeJS.Timeout>();
  const own = (socket: net.Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => {});
    socket.setNoDelay(true);
    return socket;
  };

  const server = net.createServer((client) => {
    own(client);
    const broker = own(net.connect(target, '127.0.0.1'));
    const doomed = new Map<number, Fault>();
    let silent = false;
    let late = false;
    client.on(
      'data',
      frames((frame) => {
        const key = frame.readInt16BE(4);
        const correlation = frame.readInt32BE(8);
        const fault =
          random() < (key === PRODUCE ? rates.produce : rates.others)
            ? FAULTS[Math.floor(random() * FAULTS.length)]!
            : null;
        if (fault !== null) faults[fault] += 1;
        if (fault === 'lost request') {
          client.destroy();
        } else if (fault === 'late request') {
          late = true;
          silent = true;
          const timer = setTimeout(() => {
            timers.delete(timer);
            broker.write(frame);
          }, LATE_MS);
          timers.add(timer);
        } else {
          if (fault !== null) doomed.set(correlation, fault);
          broker.write(frame);
        }
      }),
    );
    broker.on(
      'data',
      frames((frame) => {
        const fault = doomed.get(frame.readInt32BE(4));
        if (fault === 'silence') silent = true;
        if (fault === 'cut') client.destroy();
        else if (!silent) client.write(frame);
      }),
    );
    // A request on its way still arrives after its sender has given up.
    client.once('close', () => {
      if (!late) broker.destroy();
    });
    broker.once('close', () => client.destroy());
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  return {
    faults,
    set(next) {
      rates = next;
    },
    async close() {
      for (const timer of timers) clearTimeout(timer);
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Stream clients over TLS. Each makes a full handshake and counts the bytes that it receives. */
import { connect, type TLSSocket } from 'node:tls';
import { answer } from '../child.ts';

/** Maximum number of handshakes at the same time. */
const OPENING = 50;

const sockets: TLSSocket[] = [];
let plainBytes = 0;

const openOne = (port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false }, () =>
      socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'),
    );
    socket.once('error', reject);
    socket.once('data', () => resolve());
    socket.on('data', (bytes: Buffer) => {
      plainBytes += bytes.length;
    });
    sockets.push(socket);
  });

const api = {
  async open(port: number, count: number): Promise<void> {
    let left = count;
    const worker = async () => {
      while (left-- > 0) await openOne(port);
    };
    await Promise.all(Array.from({ length: OPENING }, worker));
  },
  /** Bytes received so far, not counting the overhead of encryption. */
  received: () => plainBytes,
};
export type TlsClientsApi = typeof api;
answer(api);

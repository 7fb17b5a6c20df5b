const { TOUCHLINE_URL = '', TOUCHLINE_KEY = '' } = process.env;
/** After these codes another attempt would end the same way. */
const FINAL = [4401, 4402, 4403, 4409, 4422];
const SILENCE_MS = 45_000;

/** Store it together with what you keep from the events. */
let cursor: number | null = null;

function connect() {
  const query = new URLSearchParams({ sport: 'football', event_type: 'match.*' });
  if (cursor !== null) query.set('cursor', String(cursor));
  const url = `${TOUCHLINE_URL.replace(/^http/, 'ws')}/v1/stream/ws?${query}`;
  // The key in base64url. Proxies would log a key in the query (`key=…`).
  const key = btoa(TOUCHLINE_KEY).replaceAll('+', '-').replaceAll('/', '_');
  const socket = new WebSocket(url, ['touchline.v1', `key.${key.replaceAll('=', '')}`]);
  let silence = setTimeout(() => socket.close(), SILENCE_MS);

  socket.onmessage = ({ data }) => {
    clearTimeout(silence);
    silence = setTimeout(() => socket.close(), SILENCE_MS);
    const frame = JSON.parse(data);
    if (frame.type === 'gap') {
      // Read /v1/stream/replay?since=<frame.from>, or for reason `expired` /v1/sync, before you continue.
      console.log('gap', frame.from, frame.to, frame.reason);
    } else if (frame.data !== undefined) {
      const { home, away } = frame.data.match;
      console.log(frame.type, home.name, home.score, away.score, away.name);
    }
    cursor = frame.cursor;
  };
  socket.onclose = ({ code, reason }) => {
    clearTimeout(silence);
    console.error('closed', code, reason);
    if (!FINAL.includes(code)) setTimeout(connect, 1_000 + 4_000 * Math.random());
  };
}

connect();

/** Reads a stream of server-sent events like a browser, and keeps the comments, which a browser drops. */
export interface SseFrame {
  comments: string[];
  id?: string;
  event?: string;
  data?: string;
  retry?: string;
}

/** Returns complete frames of the text, without the part after the last blank line. */
export function parseSse(text: string): SseFrame[] {
  return text
    .split('\n\n')
    .slice(0, -1)
    .map((block) => {
      const frame: SseFrame = { comments: [] };
      for (const line of block.split('\n')) {
        const [, field = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line)!;
        if (field === '') frame.comments.push(value);
        else if (field === 'id' || field === 'event' || field === 'data' || field === 'retry') frame[field] = value;
        else throw new Error(`unknown line: ${line}`);
      }
      return frame;
    });
}

/** Returns cursors of the events that carry an envelope, in order. */
export const cursorsOf = (frames: readonly SseFrame[]): number[] =>
  frames.filter(({ event, id }) => event !== undefined && id !== undefined).map(({ id }) => Number(id));

/** Returns the position of a client after these frames. */
export const lastId = (frames: readonly SseFrame[]): number | null => {
  const ids = frames.flatMap(({ id }) => (id === undefined ? [] : [Number(id)]));
  return ids.at(-1) ?? null;
};

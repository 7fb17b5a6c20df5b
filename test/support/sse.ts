/** Parses server-sent events as a browser does, but keeps comments, which a browser drops. */
export interface SseFrame {
  comments: string[];
  id?: string;
  event?: string;
  data?: string;
  retry?: string;
}

/** Returns the complete frames in a text. The text after the last blank line is left out. */
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

/** Returns, in order, the cursors of the events that have an envelope. */
export const cursorsOf = (frames: readonly SseFrame[]): number[] =>
  frames.filter(({ event, id }) => event !== undefined && id !== undefined).map(({ id }) => Number(id));

/** Returns the position at which a client is after these frames. */
export const lastId = (frames: readonly SseFrame[]): number | null => {
  const ids = frames.flatMap(({ id }) => (id === undefined ? [] : [Number(id)]));
  return ids.at(-1) ?? null;
};

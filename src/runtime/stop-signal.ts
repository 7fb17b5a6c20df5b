/** Returns a signal that the first Ctrl-C aborts. A second Ctrl-C ends the process at once. */
export function stopSignal(): AbortSignal {
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => stop.abort());
  return stop.signal;
}

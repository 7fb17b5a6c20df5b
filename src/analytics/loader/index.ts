/** Exports for other rooms: the loader's state. */
export { readLoaderProgress } from './current-copy.ts';

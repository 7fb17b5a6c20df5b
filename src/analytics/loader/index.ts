/** Public exports: the loader's state. */
export { readLoaderProgress } from './current-copy.ts';

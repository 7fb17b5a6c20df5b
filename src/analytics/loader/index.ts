/** What commands and the start of the service use of the loader. */
export { readLoaderProgress } from './state.ts';

/** What the command line uses of exports. */
export type { ExportOptions } from './command.ts';
export type { ExportKind } from './rows.ts';

/** Public exports: export formats and rows, for the command line. */
export type { ExportOptions } from './command.ts';
export type { ExportKind } from './rows.ts';

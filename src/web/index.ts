/** Exports for other rooms: page parts that portal, widgets and calendars share. */
export { linkedPlayerNames, withPlayerNames } from './shown-player-names.ts';
export { findViewer } from './site-access.ts';
export { nameOf, shootOut, shootOutResult, sideOf, statusText } from './status.ts';
export { type TableColumnView, tableColumns } from './table-columns.ts';
export { minuteText } from './timeline.ts';

/** Public exports: parts of pages that the portal, widgets and calendars use too. */

export { minuteText } from './match-page/timeline.ts';
export { linkedPlayerNames, withPlayerNames } from './shown-player-names.ts';
export { findViewer } from './site-access.ts';
export { nameOf, shootOut, shootOutResult, sideOf, statusText } from './status-text.ts';
export { type TableColumnView, tableColumns } from './tables/table-columns.ts';

/** Public exports: parts of pages that the portal, widgets and calendars use too. */

export { linkedPlayerNames, withPlayerNames } from './shown-player-names.ts';
export { findViewer } from './site-access.ts';
export { perMatchText } from './sport-figures.ts';
export { nameOf, scoreText, shootOut, shootOutResult, shootOutText, sideOf, statusText } from './status-text.ts';
export { type TableColumnView, tableColumns } from './tables/table-columns.ts';

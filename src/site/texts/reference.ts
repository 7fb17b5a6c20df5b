/** Texts for the page with the API reference. They are in English only. */
export const REFERENCE = {
  title: 'Touchline API',
  files: 'As files:',
  needsScripts: 'This page needs scripts; the files do not.',
};

/** Texts for the page with the API reference. The reference itself comes from the API document, which is in English. */
import type { Lang } from '../../http/index.ts';

const en = {
  title: 'Touchline API',
  files: 'As files:',
  note: '',
  needsScripts: 'The files have the details; only with scripts does this page show them, too.',
  open: 'Open all operations, to read and to try them',
  loading: 'The operations are being loaded …',
};

const ru: typeof en = {
  title: 'Touchline API',
  files: 'Файлами:',
  note: 'Справочник на английском языке; руководства есть и на русском.',
  needsScripts: 'Подробности есть в файлах; на этой странице они видны только со скриптами.',
  open: 'Открыть все операции с описанием и пробными запросами',
  loading: 'Список операций загружается …',
};

export const REFERENCE: Record<Lang, typeof en> = { en, ru };

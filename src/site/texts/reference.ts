/** Texts for the page with the API reference. The reference itself comes from the API document, which is in English. */
import type { Lang } from '../../http/index.ts';

const en = {
  title: 'Touchline API',
  files: 'As files:',
  note: '',
  needsScripts: 'This page needs scripts; the files do not.',
  loading: 'The operations are being loaded …',
};

const ru: typeof en = {
  title: 'Touchline API',
  files: 'Файлами:',
  note: 'Справочник на английском языке; руководства есть и на русском.',
  needsScripts: 'Этой странице нужны скрипты, файлам — нет.',
  loading: 'Список операций загружается …',
};

export const REFERENCE: Record<Lang, typeof en> = { en, ru };

/** Environment variables for widgets. */
import { z } from 'zod';
import type { ConfigOf, Variables } from '../config/variable.ts';

/** Pattern for a source in the CSP directive frame-ancestors. It allows no characters that could end the directive. */
const SOURCE =
  /^(\*|'self'|(https?|capacitor|ionic):|((https?|capacitor|ionic):\/\/)?(\*\.)?[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:(\d{1,5}|\*))?)$/i;
const NONE = "'none'";

const ancestors = z
  .string()
  .transform((value) => value.split(/[\s,]+/).filter((source) => source !== ''))
  .refine(
    (sources) => sources.every((source) => SOURCE.test(source)) || (sources.length === 1 && sources[0] === NONE),
    `must be *, 'none', or a list of 'self' and origins such as https://example.com and https://*.example.com`,
  )
  .transform((sources) => sources.join(' '));

export const widgetVariables = {
  widgetFrameAncestors: {
    name: 'WIDGET_FRAME_ANCESTORS',
    schema: ancestors.default('*'),
    meaning:
      "which pages may show the [widgets](widgets.md) in a frame: \\*, 'none', or 'self' and origins, separated by commas",
  },
} satisfies Variables;
export type WidgetConfig = ConfigOf<typeof widgetVariables>;

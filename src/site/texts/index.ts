/** Public exports: page texts, in English and Russian. */
export { ACCOUNT } from './account.ts';
export {
  dateText,
  decimalText,
  nounAfter,
  OUTCOMES,
  type OutcomeLetter,
  outcomeTexts,
  percentText,
} from './analytics.ts';
export { APP } from './app.ts';
export { AUDIT_RU } from './audit.ts';
export { BOX_SCORE } from './box-score.ts';
export { CALENDAR_PAGE } from './calendar-page.ts';
export { CORRECTION_RU } from './correction-words.ts';
export { CRICKET } from './cricket.ts';
export { longDay, shortDay, startText, utcText } from './day.ts';
export { DELIVERIES, DELIVERY } from './deliveries.ts';
export { DESTINATIONS } from './destinations.ts';
export { EVENT_NEWS } from './event-news.ts';
export { EVENT_PAGES } from './event-pages.ts';
export { EVENT_TYPES_RU } from './event-types.ts';
export { expectedGoals, LEAGUES_RU } from './expected-goals.ts';
export { fill } from './fill.ts';
export { FRONT_PAGE } from './front-page.ts';
export { GUIDES } from './guides.ts';
export { goalNote, minuteText, pointText, reasonText, scoreAfterText } from './incidents.ts';
export { INNINGS_MODEL } from './innings-model.ts';
export { KEYS } from './keys.ts';
export { LEAGUE_LIST } from './league-list.ts';
export type { LeagueTexts } from './leagues.ts';
export { MEETINGS } from './meetings.ts';
export { MEMBERS } from './members.ts';
export { NOTIFICATIONS } from './notifications.ts';
export { OPERATOR } from './operator.ts';
export { OUTLOOK } from './outlook.ts';
export { STATISTICS_RU, type Texts } from './pages.ts';
export { pairingResultText } from './pairing-results.ts';
export { PASSKEYS } from './passkeys.ts';
export { PEOPLE } from './people.ts';
export { periodHead, periodInSentence, periodName } from './periods.ts';
export { LINES } from './positions.ts';
export { PROBLEM_TITLES_RU, russianDetail, russianMessage } from './problems.ts';
export { PROVE_AGAIN } from './prove-again.ts';
export { RATING } from './rating.ts';
export { REFERENCE } from './reference.ts';
export { roundText } from './rounds.ts';
export { SECURITY } from './security.ts';
export { SESSIONS } from './sessions.ts';
export { SETTINGS } from './settings.ts';
export { SIGN_IN } from './sign-in.ts';
export { SINGLE_SIGN_ON } from './single-sign-on.ts';
export { LIVE, STATUS_WORDS } from './statuses.ts';
export { COLUMN_HEADS, GROUPING_NAMES } from './table-columns.ts';
export { TEXTS } from './texts.ts';
export { USAGE } from './usage.ts';
export { WEBHOOK_FORM } from './webhook-form.ts';
export { webhookMail } from './webhook-mail.ts';
export { failureRu, SUBSCRIPTION_RU, UNSIGNED_RU } from './webhook-state.ts';
export { WEBHOOKS } from './webhooks.ts';
export type { Advice, WidgetTexts } from './widgets.ts';

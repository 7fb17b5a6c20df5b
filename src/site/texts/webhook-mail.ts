/** The mail about a webhook subscription whose deliveries fail, have stopped, or succeed again. */
import { utcText } from './day.ts';
import { failureRu } from './webhook-state.ts';

interface Notice {
  subscription_id: number;
  type: string;
  host: string;
  description: string;
  /** First failure after the last success, in milliseconds since 1970. */
  since: number | null;
  failure: string | null;
  reason: 'no_success' | 'gone' | null;
  cursor: number | null;
}

const toText = (time: number) => new Date(time).toISOString().replace('.000Z', 'Z');
/** The owner's description on one line. */
const named = ({ subscription_id, description }: Notice) =>
  description === '' ? `${subscription_id}` : `${subscription_id} (${description.replace(/\s+/g, ' ')})`;

const EN = {
  subjects: {
    'webhook.failing': (host: string) => `Webhook deliveries to ${host} fail`,
    'webhook.disabled': (host: string) => `The webhook to ${host} is disabled`,
    'webhook.recovered': (host: string) => `Webhook deliveries to ${host} succeed again`,
  },
  failing: (one: Notice, since: string) =>
    `No delivery of your webhook subscription ${named(one)} to ${one.host} has succeeded${since}.${one.failure === null ? '' : ` Last failure: ${one.failure}.`}

The events wait for up to seven days, and are sent when the endpoint answers again. After 72 hours without a success the subscription is disabled.`,
  disabled: (one: Notice, since: string) =>
    `Your webhook subscription ${named(one)} to ${one.host} is disabled, and no more events are sent. ${
      one.reason === 'gone'
        ? 'The endpoint answered 410, which means that it wants no more deliveries.'
        : `No delivery has succeeded for 72 hours${since}.${one.failure === null ? '' : ` Last failure: ${one.failure}.`}`
    }

When the endpoint works again, enable the subscription.${one.cursor === null ? '' : ` With the cursor ${one.cursor}, it gets all events that are still stored.`}`,
  recovered: (one: Notice, since: string) =>
    `Your webhook subscription ${named(one)} to ${one.host} gets events again. No delivery had succeeded${since}.`,
  since: (at: string) => ` since ${at}`,
  page: 'Deliveries and settings',
};

const RU: typeof EN = {
  subjects: {
    'webhook.failing': (host) => `Доставки вебхука на ${host} не проходят`,
    'webhook.disabled': (host) => `Вебхук на ${host} отключён`,
    'webhook.recovered': (host) => `Доставки вебхука на ${host} снова проходят`,
  },
  failing: (one, since) =>
    `Ни одна доставка вашей подписки ${named(one)} на ${one.host} не прошла${since}.${one.failure === null ? '' : ` Последняя ошибка: ${failureRu(one.failure)}.`}

События ждут до семи дней и отправятся, как только приёмник снова ответит. После 72 часов без успешной доставки подписка отключается.`,
  disabled: (one, since) =>
    `Ваша подписка ${named(one)} на ${one.host} отключена, события больше не отправляются. ${
      one.reason === 'gone'
        ? 'Приёмник ответил 410: доставки ему больше не нужны.'
        : `За 72 часа не удалась ни одна доставка${since}.${one.failure === null ? '' : ` Последняя ошибка: ${failureRu(one.failure)}.`}`
    }

Когда приёмник заработает, включите подписку.${one.cursor === null ? '' : ` С курсором ${one.cursor} она получит все события, которые ещё хранятся.`}`,
  recovered: (one, since) =>
    `Ваша подписка ${named(one)} на ${one.host} снова получает события. Доставки не проходили${since}.`,
  since: (at) => ` с ${at}`,
  page: 'Доставки и настройки',
};

/** @param language of the reader. Null for English @param page address of the subscription's page */
export function webhookMail(one: Notice, language: string | null, page: string): { subject: string; text: string } {
  const texts = language === 'ru' ? RU : EN;
  const at = one.since === null ? null : toText(one.since);
  const since = at === null ? '' : texts.since(language === 'ru' ? utcText(at) : at);
  const body =
    one.type === 'webhook.failing' ? texts.failing : one.type === 'webhook.disabled' ? texts.disabled : texts.recovered;
  const subject = texts.subjects[one.type as keyof typeof texts.subjects](one.host);
  return { subject, text: `${body(one, since)}\n\n${texts.page}: ${page}\n` };
}

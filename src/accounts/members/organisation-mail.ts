/** Mails about an organisation, in the language of the reader or, for an invitation, of the inviter. */
import type { Lang, Role } from '../../http/index.ts';
import type { Mail } from '../mail.ts';

const ROLE_NAMES: Readonly<Record<Lang, Record<Role, string>>> = {
  en: { owner: 'owner', admin: 'admin', developer: 'developer', billing: 'billing', viewer: 'viewer' },
  ru: { owner: 'владелец', admin: 'администратор', developer: 'разработчик', billing: 'оплата', viewer: 'наблюдатель' },
};

interface Facts {
  /** Name of the organisation. */
  organisation: string;
  /** Email of the person who acts. */
  by: string;
  /** Name of a role. */
  role: string;
  link: string;
}

interface Text {
  subject: string;
  text: (facts: Facts) => string;
}

const EN = {
  invitation: {
    subject: 'You are invited to an organisation on Touchline',
    text: ({ organisation, by, role, link }) => `${by} invites you to the organisation "${organisation}" as ${role}.

Join within 7 days:
${link}

If you do not know this person, you need not do anything.
`,
  },
  removed: {
    subject: 'You have been removed from an organisation',
    text: ({
      organisation,
      by,
    }) => `${by} removed you from the organisation "${organisation}". Your sessions there have ended.
`,
  },
  role_changed: {
    subject: 'You have another role',
    text: ({ organisation, by, role, link }) => `${by} gave you the role ${role} in the organisation "${organisation}".

Members and roles: ${link}
`,
  },
  ownership_offered: {
    subject: 'An organisation is offered to you',
    text: ({
      organisation,
      by,
      link,
    }) => `${by} wants to hand the organisation "${organisation}" over to you. You become its owner if you accept.

Accept or decline within 7 days: ${link}
`,
  },
  ownership_transferred: {
    subject: 'An organisation has another owner',
    text: ({ organisation, by, link }) => `${by} is now an owner of the organisation "${organisation}".

Members and roles: ${link}
`,
  },
  deleted: {
    subject: 'An organisation has been deleted',
    text: ({
      organisation,
      by,
    }) => `${by} deleted the organisation "${organisation}". Its keys, streams and webhooks have ended.
`,
  },
} satisfies Record<string, Text>;
export type OrganisationMail = keyof typeof EN;

const RU: Record<OrganisationMail, Text> = {
  invitation: {
    subject: 'Вас приглашают в организацию на Touchline',
    text: ({ organisation, by, role, link }) => `${by} приглашает вас в организацию «${organisation}», роль: ${role}.

Присоединиться можно в течение 7 дней:
${link}

Если вы не знаете этого человека, ничего делать не нужно.
`,
  },
  removed: {
    subject: 'Вас исключили из организации',
    text: ({ organisation, by }) => `${by} исключил вас из организации «${organisation}». Ваши сеансы в ней завершены.
`,
  },
  role_changed: {
    subject: 'У вас другая роль',
    text: ({ organisation, by, role, link }) => `${by} дал вам другую роль в организации «${organisation}»: ${role}.

Участники и роли: ${link}
`,
  },
  ownership_offered: {
    subject: 'Вам предлагают организацию',
    text: ({
      organisation,
      by,
      link,
    }) => `${by} хочет передать вам организацию «${organisation}». Если вы согласитесь, вы станете её владельцем.

Принять или отклонить можно в течение 7 дней: ${link}
`,
  },
  ownership_transferred: {
    subject: 'У организации другой владелец',
    text: ({ organisation, by, link }) => `Теперь организацией «${organisation}» владеет ${by}.

Участники и роли: ${link}
`,
  },
  deleted: {
    subject: 'Организация удалена',
    text: ({ organisation, by }) => `${by} удалил организацию «${organisation}». Её ключи, потоки и вебхуки завершены.
`,
  },
};

interface Reader {
  email: string;
  /** Null for English. */
  language: string | null;
}

/** @param facts with the role itself, and the path of the link. @returns false if no mail can be sent */
export function sendOrganisationMail(
  mail: Mail,
  { email, language }: Reader,
  name: OrganisationMail,
  {
    organisation,
    by,
    role,
    path = '/account/members',
  }: { organisation: string; by: string; role?: Role; path?: string },
): boolean {
  const lang = language === 'ru' ? 'ru' : 'en';
  const { subject, text } = (lang === 'ru' ? RU : EN)[name];
  const roleName = role === undefined ? '' : ROLE_NAMES[lang][role];
  return mail.send({ to: email, subject, text: text({ organisation, by, role: roleName, link: mail.link(path) }) });
}

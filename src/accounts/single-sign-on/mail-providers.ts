/** Domains of providers that give addresses to everybody, so that no organisation can have them. */
export const MAIL_PROVIDERS: ReadonlySet<string> = new Set(
  `aol.com att.net bk.ru comcast.net daum.net email.com fastmail.com fastmail.fm free.fr gmail.com gmx.at gmx.ch gmx.com gmx.de gmx.net
  googlemail.com hey.com hotmail.co.uk hotmail.com hotmail.de hotmail.es hotmail.fr hotmail.it hushmail.com icloud.com inbox.ru
  internet.ru laposte.net libero.it list.ru live.co.uk live.com live.fr live.nl mac.com mail.com mail.ru mailbox.org me.com msn.com
  naver.com orange.fr outlook.com outlook.de outlook.es outlook.fr pm.me posteo.de proton.me protonmail.ch protonmail.com qq.com
  rambler.ru rediffmail.com rocketmail.com runbox.com sbcglobal.net sky.com t-online.de tuta.com tuta.io tutanota.com tutanota.de uol.com.br
  verizon.net wanadoo.fr web.de xtra.co.nz ya.ru yahoo.ca yahoo.co.in yahoo.co.jp yahoo.co.uk yahoo.com yahoo.com.br yahoo.de yahoo.es
  yahoo.fr yahoo.it yandex.by yandex.com yandex.kz yandex.ru yandex.ua ymail.com zoho.com zohomail.com 126.com 163.com`.split(
    /\s+/,
  ),
);

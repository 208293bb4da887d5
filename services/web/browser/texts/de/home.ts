import type { SignedInTexts } from '../en/signed-in.ts';

export const home: SignedInTexts['home'] = {
  title: 'Start',
  welcome: (name) => `Hallo, ${name}`,
  verifyTitle: 'Bestätige deine E-Mail',
  verify: (email) => `Öffne den Link, den wir an ${email} geschickt haben.`,
  resend: 'Noch einmal senden',
  resent: 'Die Nachricht ist unterwegs',
  notes: {
    title: 'Weiterschreiben',
    firstTitle: 'Deine erste Notiz',
    all: 'Alle Notizen',
    empty: 'Schreib auf, was du wiederfinden willst, allein oder mit anderen.',
    firstWorkspace: 'Meine Notizen',
    in: (workspace) => `in ${workspace}`,
  },
  links: {
    title: 'Klicks der letzten 14 Tage',
    firstTitle: 'Dein erster Link',
    example: 'https://example.com/plans',
    all: 'Alle Links',
    empty: 'Mach aus einer langen Adresse eine kurze und sieh, wie oft sie geklickt wird.',
    none: 'In diesen Tagen ist niemand deinen Links gefolgt.',
  },
  webhooks: {
    title: 'Webhooks, die scheitern',
    firstTitle: 'Dein erster Webhook',
    all: 'Alle Webhooks',
    empty: 'Lass deinen Server wissen, wenn ein Link geklickt oder eine Notiz veröffentlicht wird.',
  },
};

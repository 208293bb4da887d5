import type { SignedInTexts } from '../en/signed-in.ts';

export const home: SignedInTexts['home'] = {
  title: 'Start',
  welcome: (name) => `Hallo, ${name}`,
  verifyTitle: 'Bestätige deine E-Mail',
  verify: (email) => `Öffne den Link, den wir an ${email} geschickt haben.`,
  resend: 'Noch einmal senden',
  resent: 'Die Nachricht ist unterwegs',
  notes: {
    title: 'Notizen',
    all: 'Alle Notizen',
    empty: 'Hier erscheinen deine Notizen, die zuletzt geänderten zuerst.',
    changed: 'geändert',
  },
  links: {
    title: 'Links',
    all: 'Alle Links',
    empty: 'Hier erscheinen deine Kurzlinks.',
  },
  webhooks: {
    title: 'Webhooks',
    all: 'Alle Webhooks',
    empty: 'Hier erscheinen Webhooks, die Ereignisse an deinen Server senden.',
  },
};

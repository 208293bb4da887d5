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
    empty: 'Schreib auf, was du wiederfinden willst, allein oder mit anderen.',
    firstWorkspace: 'Meine Notizen',
    changed: 'geändert',
  },
  links: {
    title: 'Links',
    all: 'Alle Links',
    empty: 'Mach aus einer langen Adresse eine kurze und sieh, wie oft sie geklickt wird.',
  },
  webhooks: {
    title: 'Webhooks',
    all: 'Alle Webhooks',
    empty: 'Lass deinen Server wissen, wenn ein Link geklickt oder eine Notiz veröffentlicht wird.',
  },
};

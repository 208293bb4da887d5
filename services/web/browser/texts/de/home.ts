import type { SignedInTexts } from '../en/signed-in.ts';

export const home: SignedInTexts['home'] = {
  title: 'Start',
  welcome: (name) => `Hallo, ${name}`,
  verifyTitle: 'Bestätige deine E-Mail',
  verify: (email) => `Öffne den Link, den wir an ${email} geschickt haben.`,
  resend: 'Noch einmal senden',
  resent: 'Die Nachricht ist unterwegs',
  nothingYet: 'Hier erscheinen deine Notizen, Links und Webhooks.',
};

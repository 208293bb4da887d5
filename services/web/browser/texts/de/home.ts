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
    tour: 'Zeig mir, was geht',
    in: (workspace) => `in ${workspace}`,
  },
  welcomeNote: {
    title: 'Willkommen bei Atrium',
    content: `Hake ab, was du ausprobiert hast. Diese Notiz gehört dir: ändere sie, oder lösche sie.

- [ ] Hake diese Aufgabe ab
- [ ] Tippe \`/\` in eine leere Zeile: Überschriften, Tabellen, Bilder und Dateien
- [ ] Schreib \`[[\` und einen Titel, dann weiß die Notiz, was auf sie verweist
- [ ] Drück \`Strg K\`, um etwas zu finden, und \`?\` für alle Tasten
- [ ] Teile diese Notiz über einen Link, mit **Teilen** oben
- [ ] Lade jemanden in den Arbeitsbereich ein und schreibt zusammen
- [ ] Mach einen kurzen Link und sieh, [wer ihm folgt](/links)
- [ ] Lass [deinen Server wissen](/webhooks), wenn etwas geschieht
`,
  },
  links: {
    title: 'Klicks der letzten 14 Tage',
    firstTitle: 'Dein erster Link',
    example: 'https://example.com/plans',
    all: 'Alle Links',
    empty: 'Mach aus einer langen URL eine kurze und sieh, wie oft sie geklickt wird.',
    none: 'In diesen Tagen ist niemand deinen Links gefolgt.',
  },
  webhooks: {
    title: 'Webhooks, die scheitern',
    firstTitle: 'Dein erster Webhook',
    all: 'Alle Webhooks',
    empty:
      'Lass deinen Server wissen, wenn ein Link geklickt oder eine Notiz veröffentlicht wird. Der erste Empfänger kann diese Seite sein.',
  },
};

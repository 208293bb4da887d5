import type { loginProviders as english } from '../en/login-providers.ts';

export const loginProviders: typeof english = {
  or: 'oder',
  with: (name) => `Weiter mit ${name}`,
  company: (domain, name) => `Wer zu ${domain} gehört, meldet sich mit ${name} an.`,
  title: 'Anmelden',
  waiting: 'Anmeldung läuft …',
  failures: {
    expired:
      'Diese Anmeldung hat zu lange gewartet oder wurde in einem anderen Browser oder Tab begonnen. Beginne sie noch einmal.',
    denied: 'Du hast beim Anbieter abgelehnt, deshalb wurde niemand angemeldet.',
    failed:
      'Der Anbieter hat nicht bestätigt, wer du bist. Versuche es später noch einmal oder melde dich anders an.',
  },
  toLogin: 'Zurück zur Anmeldung',
  signUpTitle: 'Konto anlegen',
  signUpText: (provider, email) =>
    `${provider} hat deine Adresse ${email} bestätigt. Was noch fehlt:`,
  signUp: 'Konto anlegen',
  section: 'Anmeldung bei anderen',
  hint: 'Andere Konten von dir, mit denen du dich hier anmeldest.',
  none: 'Keines ist verknüpft.',
  link: (name) => `${name} verknüpfen`,
  unlink: 'Entfernen',
  unlinkOf: (name) => `${name} entfernen`,
  unlinkTitle: (name) => `Nicht mehr mit ${name} anmelden?`,
  linked: (name) => `${name} ist verknüpft`,
  unlinked: (name) => `${name} ist entfernt`,
  lastUsed: 'zuletzt benutzt',
};

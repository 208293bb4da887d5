import { expect, test } from 'vitest';
import { parseUserAgent } from '../../user-agent.ts';
import { renderEmail } from './render.ts';
import { sampleEmails } from './samples.ts';
import { createEmailTemplates } from './templates.ts';

const templates = createEmailTemplates('https://web.example');
const [english, german] = [sampleEmails(templates, 'en'), sampleEmails(templates, 'de')];
const emails = [
  ...Object.entries(english).map(([name, email]) => [`${name} in English`, email] as const),
  ...Object.entries(german).map(([name, email]) => [`${name} in German`, email] as const),
];

/** Without the title, which is the subject. */
function wordsOfHtml(html: string): string[] {
  const body = html.replace(/^[^]*<\/h1>/, '').replaceAll(/<[^>]+>/g, ' ');
  return wordsOf(
    body.replaceAll(
      /&(?:lt|gt|quot|#39|amp);/g,
      (entity) => ({ '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" })[entity] ?? '&',
    ),
  );
}

function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

test.each(emails)('%s has the same words in HTML and in plain text', (_name, email) => {
  expect(wordsOfHtml(email.html)).toEqual(wordsOf(email.text.replaceAll(/:\nhttps:\S+/g, '')));
});

test.each(emails)('%s escapes names, has one button and the links of the text', (_name, email) => {
  expect(email.html).not.toContain('<b>');
  const links = [...email.html.matchAll(/href="([^"]*)"/g)].map((match) => match[1] ?? '');
  expect(links.map((link) => link.replaceAll('&amp;', '&'))).toEqual(
    [...email.text.matchAll(/:\n(https:\S+)/g)].map((match) => match[1]),
  );
  expect(links[0] ?? null).toBe(email.link?.replaceAll('&', '&amp;') ?? null);
  expect(email.html.match(/class="button"/g)?.length ?? 0).toBe(email.link === null ? 0 : 1);
});

test.each(emails)('%s loads nothing', (_name, email) => {
  expect(email.html).not.toMatch(/<(img|link|script|iframe)|url\(|@import|src=/i);
});

test.each(Object.keys(english) as (keyof typeof english)[])('%s is translated', (name) => {
  const [one, other] = [english[name], german[name]];
  expect(one.html).toContain('<html lang="en">');
  expect(other.html).toContain('<html lang="de">');
  expect(other.subject).not.toBe(one.subject);
  const paths = (text: string) => text.match(/https:\S+/g);
  expect(paths(other.text)).toEqual(paths(one.text));
  const sentences = one.text.split('\n\n').filter((block) => !block.includes('https:'));
  expect(sentences.filter((sentence) => other.text.includes(sentence))).toEqual([]);
});

/** The addresses of pages that emails may link to. */
const PAGES =
  /^https:\/\/(web\.example\/(login|webhooks|developers\/applications\/app_preview|(verify-email|confirm-email|reset-password|not-me|invitations)\/preview-token)|example\.com\/exports\/1\?token=2&part=3)$/;
test.each(emails)('%s links only to pages that exist', (_name, email) => {
  const button = email.text.match(/:\n(https:\S+)/g) ?? [];
  expect(button.filter((link) => !PAGES.test(link.slice(2)))).toEqual([]);
});

test.each([
  'passwordChanged',
  'suspiciousLogin',
  'secondFactorChanged',
  'loginProviderChanged',
  'applicationChanged',
  'emailChangeRequested',
  'emailChanged',
  'accountDeletion',
  'verifyEmail',
] as const)('%s has a link that revokes suspicious access', (name) => {
  const { text } = english[name];
  expect(text).toContain('This was not me:\nhttps://web.example/not-me/preview-token');
  expect(german[name].text).toContain('Das war ich nicht:\nhttps://web.example/not-me/');
});

test.each([
  ['Every delivery failed for five days', 'Fünf Tage lang ist jede Zustellung gescheitert'],
  ['The endpoint answered 410 Gone', 'Der Empfänger hat mit 410 Gone geantwortet'],
  ['100,000 deliveries waited while it was paused', 'haben sich 100.000 Zustellungen angesammelt'],
  ['100,000 deliveries waited because it was too slow', 'Er war zu langsam: 100.000 Zustellungen'],
  ['100,000 deliveries waited for atrium listen', '100.000 Zustellungen haben auf „atrium listen“'],
])('writes in the language of the email that a webhook was disabled: %s', (reason, inGerman) => {
  const webhook = { url: 'https://example.com', reason };
  const send = (language: 'en' | 'de') =>
    templates.webhookDisabled({ email: 'ada@example.com', name: 'Ada', language }, webhook).text;
  expect(send('en')).toContain(reason);
  expect(send('de')).toContain(inGerman);
});

test('names a device that says nothing of itself in the language of the email', () => {
  const device = {
    ipAddress: '::1',
    loggedInAt: '2026-01-31T09:30:00.000Z',
    ...parseUserAgent(''),
  };
  const send = (language: 'en' | 'de') =>
    templates.suspiciousLogin({ email: 'ada@example.com', name: 'Ada', language }, device, 'token')
      .text;
  expect(send('en')).toContain('Unknown browser on unknown system');
  expect(send('de')).toContain('Unbekannter Browser, unbekanntes System');
});

test('a recovery code that was used is the subject of its email', () => {
  const send = (language: 'en' | 'de') =>
    templates.secondFactorChanged(
      { email: 'ada@example.com', name: 'Ada', language },
      { change: 'recovery_code.used', revokeAccessToken: 'token' },
    ).subject;
  expect(send('en')).toBe('A recovery code was used');
  expect(send('de')).toBe('Ein Wiederherstellungscode wurde benutzt');
});

test('writes times in the language of the email', () => {
  expect(english.accountDeletion.text).toContain(
    'Will be erased on: 14 February 2026 at 09:30 UTC',
  );
  expect(german.accountDeletion.text).toContain('Wird gelöscht am: 14. Februar 2026 um 09:30 UTC');
});

test('a deletion says what a restored account has lost', () => {
  expect(english.accountDeletion.text).toContain('Access tokens and the access of applications');
  expect(german.accountDeletion.text).toContain('Zugriffstoken und der Zugriff von Anwendungen');
});

test('a name cannot add paragraphs, markup or links', () => {
  const name = 'Ada,\r\n\r\nclick <a href="https://evil.example">here</a>\u2028or \u202e"else"';
  const email = renderEmail(
    { email: 'ada@example.com', language: 'en' },
    { subject: 'Hi', paragraphs: [`Hello ${name}`, 'bye'], facts: [['Name', name]] },
    {},
  );
  expect(email.text.split('\n\n')).toHaveLength(3);
  expect(email.html.match(/<p /g)).toHaveLength(2);
  expect(email.html).not.toContain('<a');
  expect(email.text).not.toContain('\u202e');
});

test.each(['en', 'de'] as const)(
  'the names in an invitation become no links in mail clients, in %s',
  (language) => {
    const email = templates.workspaceInvited(
      { email: 'ada@example.com', language },
      {
        workspaceName: 'URGENT: verify at https://evil.example/login or www.evil.example',
        role: 'editor',
        inviter: { name: 'Dr. Eve, help@evil.example', username: 'eve.evil.example' },
        token: 'preview-token',
      },
    );
    for (const content of [email.text, email.html]) {
      expect(content).not.toMatch(/evil\.example|\.evil|https:\/\/evil/);
      const shown = content.replaceAll('\u200c', '');
      expect(shown).toContain('URGENT: verify at https://evil.example/login or www.evil.example');
      expect(shown).toContain('Dr. Eve, help@evil.example (eve.evil.example)');
      expect(content).toContain('URGENT: verify');
    }
  },
);

import { expect, test } from 'vitest';
import { renderEmail } from './content.ts';
import { sampleEmails } from './samples.ts';
import { createEmailTemplates } from './templates.ts';

const emails = Object.entries(sampleEmails(createEmailTemplates('https://web.example')));

test.each(emails)('%s has the same words in HTML and in plain text', (_name, email) => {
  const unescaped = email.html
    .replace(/^<!doctype[^]*?<body>/, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(
      /&(?:lt|gt|quot|#39|amp);/g,
      (entity) => ({ '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" })[entity] ?? '&',
    );
  const words = (text: string) => text.split(/\s+/).filter((word) => word !== '');
  const withoutLink = email.text.replaceAll(/:\n\S+/g, '');
  expect(words(unescaped)).toEqual(words(withoutLink));
});

test.each(emails)('%s escapes names and links only to the web address', (_name, email) => {
  expect(email.html).not.toContain('<b>');
  const links = [...email.html.matchAll(/href="([^"]*)"/g)].map((match) => match[1] ?? '');
  expect(links.map((link) => link.replaceAll('&amp;', '&'))).toEqual(
    [...email.text.matchAll(/:\n(https:\S+)/g)].map((match) => match[1]),
  );
  expect(links[0] ?? null).toBe(email.link?.replaceAll('&', '&amp;') ?? null);
});

test('the verification email has a second link, for someone who did not sign up', () => {
  const { verifyEmail } = Object.fromEntries(emails);
  expect(verifyEmail?.link).toBe('https://web.example/verify-email/preview-token');
  expect(verifyEmail?.text).toContain('This was not me:\nhttps://web.example/not-me/preview-token');
});

const notices = ['passwordChanged', 'suspiciousLogin', 'emailChangeRequested', 'emailChanged'];
test.each(emails.filter(([name]) => notices.includes(name)))(
  '%s has a link that revokes suspicious access',
  (_name, email) => {
    expect(email.link).toBe('https://web.example/not-me/preview-token');
    expect(email.text).toContain('This was not me');
  },
);

test('a name cannot add paragraphs, markup or links', () => {
  const name = 'Ada,\r\n\r\nclick <a href="https://evil.example">here</a>\u2028or "else"';
  const email = renderEmail({
    to: 'ada@example.com',
    subject: 'Hi',
    paragraphs: [`Hello ${name}`, 'bye'],
  });
  expect(email.text.split('\n\n')).toHaveLength(2);
  expect(email.html.match(/<p>/g)).toHaveLength(2);
  expect(email.html).not.toContain('<a');
});

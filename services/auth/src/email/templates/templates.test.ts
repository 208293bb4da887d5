import { expect, test } from 'vitest';
import { render } from './content.ts';
import { sampleEmails } from './samples.ts';
import { createEmailTemplates } from './templates.ts';

const mails = Object.entries(sampleEmails(createEmailTemplates('https://web.example')));

test.each(mails)('%s says in HTML what it says in plain text', (_name, mail) => {
  const unescaped = mail.html
    .replace(/^<!doctype[^]*?<body>/, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(
      /&(?:lt|gt|quot|#39|amp);/g,
      (entity) => ({ '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" })[entity] ?? '&',
    );
  const words = (text: string) => text.split(/\s+/).filter((word) => word !== '');
  const withoutLink = mail.text.replace(/:\n\S+/, '');
  expect(words(unescaped)).toEqual(words(withoutLink));
});

test.each(mails)('%s escapes names, and its links lead to the web address', (_name, mail) => {
  expect(mail.html).not.toContain('<b>');
  const links = [...mail.html.matchAll(/href="([^"]*)"/g)].map((match) => match[1] ?? '');
  expect(links.map((link) => link.replaceAll('&amp;', '&'))).toEqual(
    mail.link === null ? [] : [mail.link],
  );
  expect(mail.text).toContain(mail.link ?? '');
});

const notices = ['passwordChanged', 'suspiciousLogin', 'emailChangeRequested', 'emailChanged'];
test.each(mails.filter(([name]) => notices.includes(name)))(
  '%s has a link for an owner who did not do it',
  (_name, mail) => {
    expect(mail.link).toBe('https://web.example/not-me/token-of-this-preview');
    expect(mail.text).toContain('This was not me');
  },
);

test('a name cannot add paragraphs, markup or a link of its own', () => {
  const name = 'Ada,\r\n\r\nclick <a href="https://evil.example">here</a>\u2028or "else"';
  const mail = render({
    to: 'ada@example.com',
    subject: 'Hi',
    paragraphs: [`Hello ${name}`, 'bye'],
  });
  expect(mail.text.split('\n\n')).toHaveLength(2);
  expect(mail.html.match(/<p>/g)).toHaveLength(2);
  expect(mail.html).not.toContain('<a');
});

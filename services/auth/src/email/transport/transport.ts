import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '@atrium/service-kit/logger';
import { createTransport } from 'nodemailer';
import type { AuthConfig } from '../../config.ts';
import type { EmailContent } from '../templates/content.ts';

/** Where emails go when neither SMTP_URL nor MAIL_DIR is set. */
const DEFAULT_DIRECTORY = '.data/mail';
/** How long the server may stay silent. */
const SMTP_IDLE_TIMEOUT_MS = 10_000;
/** For one message, also when the server keeps talking. Shorter than a lease. */
const SEND_TIMEOUT_MS = 30_000;
/** Status codes of RFC 3463 for a recipient: the mailbox or domain does not exist, or takes no emails. */
const REFUSED_RECIPIENT = /^5\d\d[ -]5\.(1\.([1236]|10)|2\.\d)\b/;

export interface OutgoingEmail {
  id: string;
  kind: string;
  content: EmailContent;
}

export interface EmailTransport extends Disposable {
  send(email: OutgoingEmail): Promise<void>;
}

/**
 * Whether a server has refused the recipient for good. Anything else, such as a server that does not relay for us or
 * knows another password, may be mended by the operator until the next attempt.
 */
export function isRecipientRefused(error: unknown): boolean {
  if (!(error instanceof Error) || !('command' in error) || !('response' in error)) return false;
  return error.command === 'RCPT TO' && REFUSED_RECIPIENT.test(String(error.response));
}

/** The transport that the configuration asks for. */
export function openEmailTransport(
  config: Pick<AuthConfig, 'SMTP_URL' | 'MAIL_DIR' | 'MAIL_FROM'>,
  logger: Logger,
): EmailTransport {
  const { SMTP_URL: url, MAIL_DIR: directory, MAIL_FROM: from } = config;
  return url === undefined
    ? fileTransport({ directory, from, logger })
    : smtpTransport({ url, from });
}

/** Sends by SMTP; a URL like `smtp://user:password@host:587`. */
export function smtpTransport({
  url,
  from,
  sendTimeoutMs = SEND_TIMEOUT_MS,
}: {
  url: string;
  from: string;
  sendTimeoutMs?: number;
}): EmailTransport {
  const transport = createTransport({
    url,
    pool: true,
    connectionTimeout: SMTP_IDLE_TIMEOUT_MS,
    greetingTimeout: SMTP_IDLE_TIMEOUT_MS,
    socketTimeout: SMTP_IDLE_TIMEOUT_MS,
  });
  return {
    async send(email) {
      // The timeouts above restart with every byte; the signal ends the connection.
      const signal = AbortSignal.timeout(sendTimeoutMs);
      await transport.sendMail({ ...messageOf(email, from), signal });
    },
    [Symbol.dispose]() {
      transport.close();
    },
  };
}

/**
 * Writes each email to a file and its link to the log, for development without a mail server. The link
 * is a credential, so a deployment never wants this: it is a warning unless the directory was chosen.
 */
export function fileTransport(options: {
  directory: string | undefined;
  from: string;
  logger: Logger;
}): EmailTransport {
  const { directory = DEFAULT_DIRECTORY, from, logger } = options;
  logger[options.directory === undefined ? 'warn' : 'info'](
    { directory },
    'SMTP_URL is not set: emails become files, and the links in them are logged',
  );
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  return {
    async send({ id, kind, content }) {
      const { message } = await transport.sendMail(messageOf({ id, content }, from));
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const path = join(directory, `${Date.now()}-${kind}-${id}.eml`);
      // Readers watch the directory for *.eml, so the file gets that name when it is complete.
      await writeFile(`${path}.part`, message, { mode: 0o600 });
      await rename(`${path}.part`, path);
      logger.info(
        { emailKind: kind, recipient: content.to, link: content.link, file: path },
        'email written to a file, because SMTP_URL is not set',
      );
    },
    [Symbol.dispose]() {
      transport.close();
    },
  };
}

function messageOf({ id, content }: Omit<OutgoingEmail, 'kind'>, from: string) {
  const { to, subject, text, html } = content;
  // The same Message-ID on each attempt lets a mail server drop duplicates.
  return {
    from,
    to: { name: '', address: to },
    subject,
    text,
    html,
    messageId: `<${id}@atrium>`,
    headers: { 'auto-submitted': 'auto-generated' },
  };
}

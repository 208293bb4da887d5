import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '@atrium/service-kit/logger';
import { createTransport } from 'nodemailer';
import type { EmailContent } from '../templates/content.ts';

/** Where emails go when neither SMTP_URL nor MAIL_DIR is set. */
const DEFAULT_DIRECTORY = '.data/mail';
/** The most that the server may be silent. */
const SMTP_SILENCE_MS = 10_000;
/** The whole of one mail, also with a server that never falls silent; less than a claim lasts. */
const SEND_TIMEOUT_MS = 30_000;

export interface OutgoingEmail {
  id: string;
  kind: string;
  content: EmailContent;
}

export interface EmailTransport extends Disposable {
  send(mail: OutgoingEmail): Promise<void>;
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
    connectionTimeout: SMTP_SILENCE_MS,
    greetingTimeout: SMTP_SILENCE_MS,
    socketTimeout: SMTP_SILENCE_MS,
  });
  return {
    async send(mail) {
      // The timeouts above begin anew with every byte; the signal ends the connection.
      const signal = AbortSignal.timeout(sendTimeoutMs);
      await transport.sendMail({ ...message(mail, from), signal });
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
    async send(mail) {
      const { message: bytes } = await transport.sendMail(message(mail, from));
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const path = join(directory, `${Date.now()}-${mail.kind}-${mail.id}.eml`);
      // Readers watch the directory for *.eml, so a file appears only when it is whole.
      await writeFile(`${path}.part`, bytes, { mode: 0o600 });
      await rename(`${path}.part`, path);
      logger.info(
        { mailKind: mail.kind, recipient: mail.content.to, link: mail.content.link, file: path },
        'mail written to a file, because SMTP_URL is not set',
      );
    },
    [Symbol.dispose]() {
      transport.close();
    },
  };
}

function message({ id, content }: OutgoingEmail, from: string) {
  const { to, subject, text, html } = content;
  // The same Message-ID on each attempt lets a mail server drop a twin.
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

import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '@atrium/service-kit/logger';
import { createTransport } from 'nodemailer';
import type { ClaimedMail } from './outbox.ts';

const SMTP_TIMEOUT_MS = 10_000;

export interface MailTransport extends Disposable {
  send(mail: ClaimedMail): Promise<void>;
}

/** Sends by SMTP; a URL like `smtp://user:password@host:587`. */
export function smtpTransport({ url, from }: { url: string; from: string }): MailTransport {
  const transport = createTransport({
    url,
    pool: true,
    connectionTimeout: SMTP_TIMEOUT_MS,
    greetingTimeout: SMTP_TIMEOUT_MS,
    socketTimeout: SMTP_TIMEOUT_MS,
  });
  return {
    async send(mail) {
      await transport.sendMail(message(mail, from));
    },
    [Symbol.dispose]() {
      transport.close();
    },
  };
}

/**
 * Writes each mail to a file and its link to the log: development without a mail server. The link is
 * a credential, so this is never what a deployment wants; the service says so when it starts.
 */
export function fileTransport(options: {
  directory: string;
  from: string;
  logger: Logger;
}): MailTransport {
  const { directory, from, logger } = options;
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

function message({ id, content }: ClaimedMail, from: string) {
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

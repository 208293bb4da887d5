import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';
import PostalMime from 'postal-mime';
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server';
import { until } from './until.ts';

export interface Mail {
  to: string[];
  subject: string;
  text: string;
  html: string;
}

export interface Mailbox extends AsyncDisposable {
  smtpUrl: string;
  /** Every mail so far, oldest first. */
  messages: Mail[];
  /** How long the server takes for each mail; 0 at first. */
  delayMs: number;
  /** Recipients that the server refuses (550), each with the text of its reply; none at first. */
  refused: Map<string, string>;
  /** The first mail that fits, or the `n`th mail (from 1), as soon as it is there. */
  waitFor(wanted: number | ((mail: Mail) => boolean)): Promise<Mail>;
}

/** Starts an SMTP server that takes every mail, unless it is told to refuse its recipient. */
export async function startMailbox(): Promise<Mailbox> {
  const messages: Mail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo({ address }, _session, done) {
      const reply = mailbox.refused.get(address);
      done(reply === undefined ? null : new Error(reply));
    },
    onData(stream, _session, done) {
      parse(stream).then((mail) => {
        messages.push(mail);
        setTimeout(done, mailbox.delayMs);
      }, done);
    },
  });
  server.on('error', () => undefined);
  const listener = server.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  const mailbox: Mailbox = {
    smtpUrl: `smtp://127.0.0.1:${port}`,
    messages,
    delayMs: 0,
    refused: new Map(),
    waitFor: (wanted) =>
      until(() => (typeof wanted === 'number' ? messages[wanted - 1] : messages.find(wanted))),
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return mailbox;
}

async function parse(stream: SMTPServerDataStream): Promise<Mail> {
  const mail = await PostalMime.parse(await buffer(stream));
  return {
    to: (mail.to ?? []).flatMap((recipient) => recipient.address ?? []),
    subject: mail.subject ?? '',
    text: mail.text ?? '',
    html: mail.html ?? '',
  };
}

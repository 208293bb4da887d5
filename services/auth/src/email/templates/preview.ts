import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sampleEmails } from './samples.ts';
import { createEmailTemplates } from './templates.ts';

/** `pnpm emails:preview`: writes every message as it would be sent, to view in a browser. */
const DIRECTORY = '.data/email-preview';

const templates = createEmailTemplates('http://localhost:4000');
await mkdir(DIRECTORY, { recursive: true });
for (const language of ['en', 'de'] as const) {
  for (const [name, email] of Object.entries(sampleEmails(templates, language))) {
    const file = join(DIRECTORY, `${name}.${language}`);
    await writeFile(`${file}.html`, email.html);
    await writeFile(`${file}.txt`, `To: ${email.to}\nSubject: ${email.subject}\n\n${email.text}`);
  }
}
process.stdout.write(`The emails are in ${DIRECTORY}\n`);

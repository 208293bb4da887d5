import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sampleEmails } from './samples.ts';
import { createEmailTemplates } from './templates.ts';

/** `pnpm emails:preview`: writes every message as it would be sent, to view in a browser. */
const DIRECTORY = '.data/email-preview';

await mkdir(DIRECTORY, { recursive: true });
for (const [name, email] of Object.entries(
  sampleEmails(createEmailTemplates('http://localhost:4000')),
)) {
  await writeFile(join(DIRECTORY, `${name}.html`), email.html);
  await writeFile(
    join(DIRECTORY, `${name}.txt`),
    `To: ${email.to}\nSubject: ${email.subject}\n\n${email.text}`,
  );
}
process.stdout.write(`The emails are in ${DIRECTORY}\n`);

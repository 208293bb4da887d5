import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sampleEmails } from './samples.ts';
import { createEmailTemplates } from './templates.ts';

/** `pnpm emails:preview`: writes every email as it would be sent, to look at in a browser. */
const DIRECTORY = '.data/mail-preview';

await mkdir(DIRECTORY, { recursive: true });
for (const [name, mail] of Object.entries(
  sampleEmails(createEmailTemplates('http://localhost:4000')),
)) {
  await writeFile(join(DIRECTORY, `${name}.html`), mail.html);
  await writeFile(
    join(DIRECTORY, `${name}.txt`),
    `To: ${mail.to}\nSubject: ${mail.subject}\n\n${mail.text}`,
  );
}
process.stdout.write(`The mails are in ${DIRECTORY}\n`);

// Makes what is published: JavaScript and declarations that depend on nothing.
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeOutTypes } from './write-out-types.ts';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
rmSync(dist, { recursive: true, force: true });
execFileSync('tsc', ['-p', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' });
// Apart, so that only the command may use Node's own modules.
execFileSync('tsc', ['-p', 'tsconfig.command.json'], { cwd: root, stdio: 'inherit' });
for (const name of ['types', 'publishing-types']) {
  const source = readFileSync(join(root, 'src', `${name}.ts`), 'utf8');
  writeFileSync(join(dist, `${name}.d.ts`), await writeOutTypes(source));
}

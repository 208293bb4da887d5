// Runs the tests named `security N: …`, one number for each defence, and prints the results by number.
// A number without a test counts as a failure, and so does one beyond the last.
import { spawn } from 'node:child_process';
import { glob, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const LAST_NUMBER = 43;
const TITLE = /(?:^| > )security (\d+): (.*)$/s;
const TEST = /['"`]security \d+: /;
/** Some files are of parts that share a platform. */
const PART = /^import '(\..*)';$/gm;

/** Only the files that contain such tests, so that nothing else runs. */
async function testFiles() {
  const files = [];
  for await (const file of glob('{packages,tools,services}/*/{src,test}/**/*.test.ts', {
    exclude: (path) => path.endsWith('node_modules'),
  })) {
    const text = await readFile(file, 'utf8');
    const parts = Array.from(text.matchAll(PART), ([, part]) => join(dirname(file), part));
    const texts = await Promise.all(parts.map((part) => readFile(part, 'utf8')));
    if ([text, ...texts].some((content) => TEST.test(content))) files.push(file);
  }
  return files;
}

async function runTests(reportFile) {
  const child = spawn(
    process.execPath,
    [
      join('node_modules', 'vitest', 'vitest.mjs'),
      'run',
      // Vitest matches the whole name including its groups; byNumber() checks the title itself.
      '--testNamePattern=security \\d+: ',
      '--reporter=dot',
      '--reporter=json',
      `--outputFile.json=${reportFile}`,
      ...(await testFiles()),
    ],
    { stdio: 'inherit' },
  );
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

/** The titles and outcomes of the tests of each number, which a test may have from its group. */
function byNumber({ testResults }) {
  const numbers = Array.from({ length: LAST_NUMBER }, (_, index) => index + 1);
  const found = new Map(numbers.map((number) => [number, []]));
  for (const test of testResults.flatMap((file) => file.assertionResults)) {
    const [, number, text] = TITLE.exec([...test.ancestorTitles, test.title].join(' > ')) ?? [];
    if (number === undefined) continue;
    const tests = found.get(Number(number));
    if (tests === undefined) throw new Error(`security ${number} is beyond ${LAST_NUMBER}`);
    tests.push({ text, status: test.status });
  }
  return found;
}

function printReport(found) {
  let held = 0;
  console.log('\nSecurity tests by number');
  for (const [number, tests] of found) {
    const failed = tests.filter(({ status }) => status !== 'passed');
    const isHeld = tests.length > 0 && failed.length === 0;
    if (isHeld) held += 1;
    const verdict = tests.length === 0 ? 'NO TEST' : isHeld ? 'passed' : 'FAILED';
    console.log(`\n${String(number).padStart(2)}  ${verdict}`);
    for (const { text, status } of tests) console.log(`      ${status}  ${text}`);
  }
  console.log(`\n${held} of ${found.size} numbers passed`);
  return held === found.size;
}

const folder = await mkdtemp(join(tmpdir(), 'atrium-security-'));
try {
  const reportFile = join(folder, 'report.json');
  const code = await runTests(reportFile);
  const report = JSON.parse(await readFile(reportFile, 'utf8'));
  process.exitCode = printReport(byNumber(report)) && code === 0 ? 0 : 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}

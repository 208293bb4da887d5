// Reads Vitest's JSON report and the exit codes of the checks and of the tests, and prints the last line
// of a run: "N passed, N failed".
const { readFileSync } = require('node:fs');

const [reportFile, checks, tests] = process.argv.slice(2);
const text = readFileSync(reportFile, 'utf8');
const report = text === '' ? { numPassedTests: 0, testResults: [] } : JSON.parse(text);
const statuses = report.testResults.flatMap((file) => file.assertionResults.map((t) => t.status));
const skipped = statuses.filter((status) => status !== 'passed' && status !== 'failed').length;
// A file that cannot be loaded, or that leaves something open, fails without a failed test.
const failedFiles = report.testResults.filter(
  (file) => file.status === 'failed' && file.assertionResults.every((t) => t.status !== 'failed'),
);
const failedTests = statuses.filter((status) => status === 'failed').length;
// Without a report, or with an unhandled rejection, there is nothing to count and yet a failure.
const failed = failedTests + failedFiles.length || (tests === '0' ? 0 : 1);

if (checks !== '0') console.log('The checks failed: see above.');
if (skipped > 0) console.log(`${skipped} tests were skipped, which counts as a failure here.`);
const good = checks === '0' && tests === '0' && failed === 0 && skipped === 0;
process.exitCode = good && report.numPassedTests > 0 ? 0 : 1;
console.log(`${report.numPassedTests} passed, ${failed} failed`);

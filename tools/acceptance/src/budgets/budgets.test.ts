import { expect, test } from 'vitest';
import { Answers } from './answers.ts';
import { imageEnvironments } from './image-environment.ts';
import { describe } from './table.ts';

const probed = (durationsMs: number[]) => ({ durationsMs, refused: 0, wrong: {} });
const RESULT = {
  name: 'clicks',
  title: 'Many clicks',
  answers: '9 × 302',
  before: { me: probed([10]), save: probed([10]), redirect: probed([2]) },
  during: { me: probed([50]), save: probed([51]), redirect: probed([2]) },
  memory: {
    before: new Map([
      ['auth', 100],
      ['links', 100],
    ]),
    peak: new Map([['links', 300]]),
    after: new Map([
      ['auth', 100],
      ['links', 121],
    ]),
  },
  tookMs: 12_000,
  faults: [],
};

test('processes are attacked with the heap that they have in their containers', async () => {
  const { auth, 'notes-worker': worker } = await imageEnvironments();
  const { NODE_OPTIONS, MALLOC_ARENA_MAX, MALLOC_MMAP_THRESHOLD_ } = auth ?? {};
  expect(NODE_OPTIONS).toMatch(/--max-old-space-size=\d+/);
  expect(NODE_OPTIONS).toContain('--expose-gc');
  expect(NODE_OPTIONS).toContain('deploy/image/collect-at-rest.mjs');
  expect(MALLOC_ARENA_MAX).toMatch(/^\d+$/);
  expect(worker).toMatchObject({ NODE_OPTIONS, MALLOC_MMAP_THRESHOLD_: '65536' });
  expect(MALLOC_MMAP_THRESHOLD_).not.toBe('65536');
});

test('a line says what an attack cost others, and that this decides nothing', () => {
  const [line] = describe(RESULT).split('\n');
  expect(line).toContain('10 → 50 ×5.0 met');
  expect(line).toContain('10 → 51 ×5.1 MISSED');
  expect(line).toContain('links 100 → 121 (300) MISSED');
  expect(line).toMatch(/ held$/);
});

test('a fault is named below its attack', () => {
  const lines = describe({ ...RESULT, faults: ['links ended: out of memory'] }).split('\n');
  expect(lines[0]).toMatch(/ FAILED$/);
  expect(lines).toContain('    FAULT: links ended: out of memory');
});

test('rejections are no faults, errors of a service are', () => {
  const answers = new Answers();
  for (const status of [201, 201, 413, 429, 503, 'cut off']) answers.add(status);
  expect(answers.faults).toEqual([]);
  expect(String(answers)).toBe('2 × 201, 1 × 413, 1 × 429, 1 × 503, 1 × cut off');
  answers.add(500);
  expect(answers.faults).toEqual(['500']);
});

import { expect, test } from 'vitest';
import { pinDigests } from './pin-digests.ts';

const DIGEST = `sha256:${'a'.repeat(64)}`;
const COMMIT = 'b'.repeat(40);

const text = (node: string, redis: string, action: string) => `
FROM ${node} AS base
FROM base AS build
x-process: &process
  image: atrium:local
services:
  redis:
    image: ${redis}
      - uses: ${action}
`;
const tagged = text('node:24.1.0-slim', 'axllent/mailpit:v1.2', 'actions/checkout@v5');
const pinned = text(
  `node:24.1.0-slim@${DIGEST}`,
  `axllent/mailpit:v1.2@${DIGEST}`,
  `actions/checkout@${COMMIT} # v5`,
);

const lookup = { digest: async () => DIGEST, commit: async () => COMMIT };

test('images of others and actions are pinned to what their tags are', async () => {
  expect(await pinDigests(tagged, lookup)).toBe(pinned);
});

test('what is pinned is pinned again to what the tags have become', async () => {
  const before = pinned.replaceAll('aaa', 'ccc').replaceAll('bbb', 'ddd');
  expect(await pinDigests(before, lookup)).toBe(pinned);
});

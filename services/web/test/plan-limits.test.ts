import { PLAN_LIMITS as NOTES_LIMITS } from '@atrium/contracts/notes';
import { SUBSCRIPTION_LIMITS } from '@atrium/contracts/webhooks';
import { expect, test } from 'vitest';
import { PLAN_LIMITS } from '../browser/account/plan/limits.ts';

test.each(['free', 'pro'] as const)('shows the limits that the services enforce: %s', (plan) => {
  const { webhooks, ...notes } = PLAN_LIMITS[plan];
  const enforced = Object.entries(NOTES_LIMITS[plan]).map(([name, limit]) => [
    name,
    Number.isFinite(limit) ? limit : null,
  ]);
  expect(notes).toEqual(Object.fromEntries(enforced));
  expect(webhooks).toBe(SUBSCRIPTION_LIMITS[plan]);
});

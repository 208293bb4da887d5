/** Why Atrium disables a webhook. The pages import it, so this imports nothing. */
export const DISABLED_REASONS = {
  failing: 'Every delivery failed for five days',
  gone: 'The endpoint answered 410 Gone',
  paused: '100,000 deliveries waited while it was paused',
  slow: '100,000 deliveries waited because it was too slow',
  unfetched: '100,000 deliveries waited for atrium listen',
} as const;

export type DisabledReason = (typeof DISABLED_REASONS)[keyof typeof DISABLED_REASONS];

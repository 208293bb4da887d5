/** The browser tests that mean nothing when they are perturbed, each with its reason. */
export const EXCLUDED: ReadonlyMap<string, string> = new Map([
  [
    'own-platform/text-loss.test.ts',
    'breaks tabs, sessions, networks and services by itself, a hundred times each',
  ],
]);

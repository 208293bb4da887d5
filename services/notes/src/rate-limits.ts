/** Far above what a person does and far below what would slow other accounts down. */
export const RATE_LIMITS = {
  writes: { name: 'notes-writes', limit: 1200, windowSeconds: 60 },
  searches: { name: 'notes-searches', limit: 600, windowSeconds: 60 },
};

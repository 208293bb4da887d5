/** `pnpm fuzz` sends more requests, with a new seed each time. */
const { FUZZ_REQUESTS, FUZZ_SEED } = process.env;
export const IS_LONG = FUZZ_REQUESTS !== undefined;
export const REQUESTS = Number(FUZZ_REQUESTS ?? 1500);
export const SEED = Number(FUZZ_SEED ?? 20_260_101);
export const FUZZ_TIMEOUT_MS = 60_000 + REQUESTS * 200;

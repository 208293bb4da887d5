/**
 * The script of a page whose requests and answers are late now and then, and so are its timers. It draws by
 * itself, so that pages do not wait for the test.
 *
 * @param seed a whole number
 */
export function slowPageScript(seed: number): string {
  return `(${slowPage.toString()})(${seed})`;
}

/** Runs in the page, before its own scripts. */
function slowPage(seed: number): void {
  const REQUESTS = { share: 0.3, maxMs: 1_500 };
  const TIMERS = { share: 0.3, maxMs: 400 };
  let state = seed;
  const random = () => {
    // Park and Miller's minimal standard generator.
    state = (state * 48_271) % 0x7fff_ffff;
    return state / 0x7fff_ffff;
  };
  const lateness = ({ share, maxMs }: { share: number; maxMs: number }) =>
    random() < share ? random() * maxMs : 0;
  const setTimer = window.setTimeout.bind(window);
  const wait = (ms: number) =>
    ms === 0 ? undefined : new Promise<void>((resolve) => void setTimer(resolve, ms));

  const send = window.fetch.bind(window);
  window.fetch = async (...request) => {
    await wait(lateness(REQUESTS));
    const response = await send(...request);
    await wait(lateness(REQUESTS));
    return response;
  };
  const late = (handler: TimerHandler, ms = 0, ...rest: unknown[]) =>
    setTimer(handler, ms + lateness(TIMERS), ...rest);
  window.setTimeout = late as typeof window.setTimeout;
}

import { useSyncExternalStore } from 'react';
import { useTranslation } from '../../texts/texts.tsx';
import { exactTime, relativeTime } from './time-text.ts';

const TICK_MS = 30_000;

/** One clock for all times on a page. */
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let nowMs = Date.now();

function tick(): void {
  nowMs = Date.now();
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    nowMs = Date.now();
    timer = setInterval(tick, TICK_MS);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) clearInterval(timer);
  };
}

/** The time of that clock, in milliseconds. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => nowMs);
}

/** A moment as people say it, such as "2 hours ago"; the exact time and zone show on hover. */
export function Time({ value }: { value: string }) {
  const { text, locale } = useTranslation();
  const now = useNow();
  const time = new Date(value);
  return (
    <time dateTime={value} title={exactTime(time, locale)}>
      {relativeTime(time, now, { locale, now: text.times.now })}
    </time>
  );
}

/** A moment with its zone. */
export function ExactTime({ value }: { value: string }) {
  const { locale } = useTranslation();
  return <time dateTime={value}>{exactTime(new Date(value), locale)}</time>;
}

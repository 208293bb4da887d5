import type { WebhookHealth } from '@atrium/client';
import { Fragment, useEffect, useState } from 'react';
import { useAllText } from '../texts/signed-in-texts.tsx';
import { useTranslation } from '../texts/texts.tsx';
import classes from './webhooks.module.css';

const SECOND_MS = 1_000;

/** What keeps deliveries waiting, how long yet, and how many do. */
export function HealthLine({ rest, waiting }: Pick<WebhookHealth, 'rest' | 'waiting'>) {
  const { health } = useAllText().webhooks;
  const { locale } = useTranslation();
  const seconds = useSecondsUntil(rest?.until);
  const parts = [
    ...(rest === null ? [] : [health.stopped(rest.failures), health.nextTry(seconds)]),
    ...(waiting === 0 ? [] : [health.waiting(new Intl.NumberFormat(locale).format(waiting))]),
  ];
  // A line breaks before a separator, so that none ends with it.
  return parts.map((part, index) => (
    <Fragment key={part}>
      {index > 0 && ' '}
      <span className={classes.part}>{part}</span>
    </Fragment>
  ));
}

function useSecondsUntil(until: string | undefined): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    if (until === undefined) return;
    const timer = setInterval(() => setNowMs(Date.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, [until]);
  return until === undefined ? 0 : Math.max(0, Math.ceil((Date.parse(until) - nowMs) / SECOND_MS));
}

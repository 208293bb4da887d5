import type { Subscription } from '@atrium/client';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { RowLink } from '../ui/lists/row-link.tsx';
import rows from '../ui/lists/rows.module.css';
import { ButtonLink } from '../ui/controls/links.tsx';
import { Loaded } from '../ui/page/loaded.tsx';
import { Section } from '../ui/page/section.tsx';
import { atrium } from '../session/atrium.ts';
import { queryKeys } from '../session/query-keys.ts';
import { useAllText } from '../texts/signed-in-texts.tsx';
import { StateBadge, stateOf } from '../webhooks/state-badge.tsx';
import { isTrial } from '../webhooks/trial/trial-url.ts';
import { webhookName } from '../webhooks/webhook-name.ts';
import { FirstWebhook } from './first-webhook.tsx';
import classes from './home.module.css';

const WEBHOOKS_MAX = 100;

/** The webhooks whose deliveries fail, and whether there are any at all. */
export function useHomeWebhooks() {
  return useQuery({
    queryKey: queryKeys.webhooks.states,
    queryFn: async ({ signal }) => {
      const { data } = await atrium.webhooks.listWebhooks({ limit: WEBHOOKS_MAX }, { signal });
      return {
        hasAny: !data.every(isTrial),
        failing: data.filter((webhook) => ['failing', 'disabled'].includes(stateOf(webhook))),
      };
    },
  });
}

/** Only what needs attention, or the way to a first webhook. */
export function FailingWebhooks({
  query,
}: {
  query: UseQueryResult<{ hasAny: boolean; failing: Subscription[] }>;
}) {
  const { home } = useAllText();
  const { hasAny, failing } = query.data ?? { hasAny: true, failing: [] };
  if (!hasAny) return <FirstWebhook />;
  if (failing.length === 0 && query.error === null) return null;
  return (
    <Section
      title={home.webhooks.title}
      action={
        <ButtonLink to="/webhooks" variant="default" size="xs">
          {home.webhooks.all}
        </ButtonLink>
      }
    >
      <Loaded query={query} skeleton={null}>
        {() => (
          <ul className={classes.list}>
            {failing.map((webhook) => (
              <li key={webhook.id} className={`${rows.item} ${classes.item}`}>
                <RowLink to="/webhooks/$id" params={{ id: webhook.id }}>
                  {webhookName(webhook)}
                </RowLink>
                <StateBadge webhook={webhook} />
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Section>
  );
}

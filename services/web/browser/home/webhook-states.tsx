import type { Subscription } from '@atrium/client';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { LIST_ROW, moveInList } from '../ui/lists/list-keys.ts';
import { TextLink } from '../ui/controls/links.tsx';
import { atrium } from '../session/atrium.ts';
import { queryKeys } from '../session/query-keys.ts';
import { useAllText } from '../texts/signed-in-texts.tsx';
import { StateBadge, stateOf } from '../webhooks/state-badge.tsx';
import { webhookName } from '../webhooks/webhook-name.ts';
import { CreateFirstButton } from './create-first-button.tsx';
import classes from './home.module.css';
import { RecentSection } from './recent-section.tsx';

const SHOWN_MAX = 5;
const WEBHOOKS_MAX = 100;

function needsAttention(webhook: Subscription): boolean {
  return ['failing', 'disabled'].includes(stateOf(webhook));
}

/** The webhooks whose deliveries fail, then the newest others. */
export function useWebhookStates() {
  return useQuery({
    queryKey: queryKeys.webhooks.states,
    queryFn: async ({ signal }) => {
      const { data } = await atrium.webhooks.listWebhooks({ limit: WEBHOOKS_MAX }, { signal });
      return data
        .toSorted((a, b) => Number(needsAttention(b)) - Number(needsAttention(a)))
        .slice(0, SHOWN_MAX);
    },
  });
}

/** The webhooks and how their deliveries are doing. */
export function WebhookStates({ query }: { query: UseQueryResult<Subscription[]> }) {
  const { home, webhooks } = useAllText();
  return (
    <RecentSection
      texts={home.webhooks}
      to="/webhooks"
      query={query}
      emptyAction={<CreateFirstButton to="/webhooks">{webhooks.new}</CreateFirstButton>}
    >
      {(webhook) => (
        <li key={webhook.id} className={classes.item}>
          <TextLink
            to="/webhooks/$id"
            params={{ id: webhook.id }}
            size="sm"
            truncate
            className={classes.name}
            onKeyDown={moveInList}
            {...LIST_ROW}
          >
            {webhookName(webhook)}
          </TextLink>
          <StateBadge webhook={webhook} />
        </li>
      )}
    </RecentSection>
  );
}

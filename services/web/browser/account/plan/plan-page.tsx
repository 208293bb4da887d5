import type { AccountPlan, Workspace } from '@atrium/client';
import { PLAN_LIMITS } from '@atrium/contracts/plan-limits';
import { Badge, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Loaded } from '../../ui/page/loaded.tsx';
import { atrium } from '../../session/atrium.ts';
import { queryKeys } from '../../session/query-keys.ts';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { useTranslation } from '../../texts/texts.tsx';
import { AccountPage } from '../account-page.tsx';
import { Section } from '../../ui/page/section.tsx';
import { files } from '../../session/files.ts';
import { sizeText } from '../../ui/size-text.ts';
import { COUNTED_MAX, Meter } from '../../ui/controls/meter.tsx';
import { usePlan } from './use-plan.ts';

const PAGE_SIZE = 100;
const FULLEST_MAX = 5;
const KIB = 1024;
const MIB = 1024 ** 2;

/** The plan, and how much of its limits is used. */
export function PlanPage() {
  const { plan } = useSignedInText();
  const current = usePlan();
  return (
    <AccountPage title={plan.title}>
      <Loaded query={current} skeleton={<Skeleton h={180} />}>
        {(account) => (
          <>
            <Section
              title={plan.current}
              hint={plan.raisedBy}
              badge={<Badge variant="default">{plan.names[account.plan]}</Badge>}
            />
            <PlanUsage plan={account.plan} />
          </>
        )}
      </Loaded>
    </AccountPage>
  );
}

function PlanUsage({ plan }: { plan: AccountPlan['plan'] }) {
  const { plan: texts } = useSignedInText();
  const limits = PLAN_LIMITS[plan];
  const workspaces = useQuery({
    queryKey: queryKeys.plan.workspaces,
    queryFn: ({ signal }) =>
      // Workspaces of others count for the plans of their owners.
      firstOf(
        atrium.notes.listWorkspaces({ limit: PAGE_SIZE }, { signal }),
        ({ role }) => role === 'owner',
      ),
  });
  const webhooks = useQuery({
    queryKey: queryKeys.plan.webhooks,
    queryFn: ({ signal }) =>
      firstOf(atrium.webhooks.listWebhooks({ limit: PAGE_SIZE }, { signal })),
  });
  const links = useQuery({
    queryKey: queryKeys.plan.links,
    queryFn: ({ signal }) => atrium.links.getLinksUsage({ signal }),
  });
  return (
    <Section title={texts.use}>
      <Stack>
        <StorageMeter />
        <Loaded query={workspaces} skeleton={<Skeleton h={40} />}>
          {(data) => (
            <>
              <Meter label={texts.workspaces} used={data.length} limit={limits.workspaces} />
              {data.length === 0 && <Text size="sm">{texts.noWorkspaces}</Text>}
              {fullest(data).map(({ id, name, noteCount }) => (
                <Meter
                  key={id}
                  label={texts.notes(name)}
                  used={noteCount}
                  limit={limits.notesPerWorkspace}
                />
              ))}
            </>
          )}
        </Loaded>
        <Loaded query={webhooks} skeleton={<Skeleton h={40} />}>
          {(data) => <Meter label={texts.webhooks} used={data.length} limit={limits.webhooks} />}
        </Loaded>
        <Loaded query={links} skeleton={<Skeleton h={40} />}>
          {(data) => (
            <Meter
              label={texts.links}
              used={data.links.used}
              limit={data.links.limit ?? Infinity}
            />
          )}
        </Loaded>
        <Limit label={texts.sizes.note} max={limits.noteSizeBytes / KIB} unit="kilobyte" />
        <Limit label={texts.sizes.file} max={limits.fileSizeBytes / MIB} unit="megabyte" />
        <Limit label={texts.sizes.archive} max={limits.archiveSizeBytes / MIB} unit="megabyte" />
        <Limit label={texts.versions} max={limits.versionDays} unit="day" />
        <Limit label={texts.versionsPerNote} max={limits.versionsPerNote} />
        <Limit label={texts.trashedNotes} max={limits.trashedNotes} />
        <Limit label={texts.collaborators} max={limits.collaborators} />
      </Stack>
    </Section>
  );
}

/** How much everything takes together, and each kind of it. */
function StorageMeter() {
  const { locale } = useTranslation();
  const { plan: texts } = useSignedInText();
  const storage = useQuery({
    queryKey: queryKeys.plan.storage,
    queryFn: ({ signal }) => files.getStorageUse({ signal }),
  });
  const format = (bytes: number) => sizeText(bytes, locale);
  return (
    <Loaded query={storage} skeleton={<Skeleton h={80} />}>
      {(use) => (
        <>
          <Meter
            label={texts.storage}
            used={use.usedBytes}
            limit={use.limitBytes ?? Infinity}
            format={format}
          />
          <Part label={texts.stored.notes} figure={format(use.noteBytes)} />
          <Part label={texts.stored.versions} figure={format(use.versionBytes)} />
          <Part label={texts.stored.attachments} figure={format(use.attachmentBytes)} />
          <Part label={texts.stored.imports} figure={format(use.importBytes)} />
        </>
      )}
    </Loaded>
  );
}

/** A line of the page. */
function Part({ label, figure }: { label: string; figure: string }) {
  return (
    <Group justify="space-between" gap="xs">
      <Text size="sm">{label}</Text>
      <Text size="sm" c="dimmed">
        {figure}
      </Text>
    </Group>
  );
}

/** A limit whose use is not counted here. */
function Limit({ label, max, unit }: { label: string; max: number; unit?: string }) {
  const { locale } = useTranslation();
  const { plan } = useSignedInText();
  const format = new Intl.NumberFormat(
    locale,
    unit === undefined
      ? {}
      : { style: 'unit', unit, unitDisplay: unit === 'day' ? 'long' : 'short' },
  );
  return <Part label={label} figure={plan.upTo(format.format(max))} />;
}

function fullest(workspaces: Workspace[]): Workspace[] {
  return workspaces.toSorted((a, b) => b.noteCount - a.noteCount).slice(0, FULLEST_MAX);
}

async function firstOf<Item>(
  list: AsyncIterable<Item>,
  isCounted: (item: Item) => boolean = () => true,
): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of list) {
    if (isCounted(item)) items.push(item);
    if (items.length >= COUNTED_MAX) break;
  }
  return items;
}

import type { Workspace } from '@atrium/client';
import { PLAN_LIMITS } from '@atrium/contracts/plan-limits';
import { Stack, Text } from '@mantine/core';
import { Meter } from '../../ui/controls/meter.tsx';
import { usePlan } from '../../account/plan/use-plan.ts';
import { ListEnd } from '../../ui/lists/list-end.tsx';
import { Loaded } from '../../ui/page/loaded.tsx';
import rows from '../../ui/lists/rows.module.css';
import { Section } from '../../ui/page/section.tsx';
import { useUser } from '../../session/user.ts';
import { VerifyEmailNotice } from '../../session/verify-email-notice.tsx';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { InvitationRow } from './invitation-row.tsx';
import { InviteForm } from './invite-form.tsx';
import { isPending, useInvitations } from './use-invitations.ts';

/** For the owner: who was invited, and another invitation as long as the plan allows it. */
export function InvitationsSection({
  workspace: { id },
  memberCount,
}: {
  workspace: Workspace;
  memberCount: number;
}) {
  const { members: texts, plan: planTexts } = useSignedInText();
  const { emailVerified } = useUser();
  const { data: plan } = usePlan();
  const list = useInvitations(id);
  const limit = plan === undefined ? undefined : PLAN_LIMITS[plan.plan].collaborators;
  const taken = memberCount - 1 + (list.data?.filter(isPending).length ?? 0);
  const isFull = limit !== undefined && taken >= limit;
  return (
    <Section title={texts.invitations.title} hint={texts.invitations.hint}>
      <Stack>
        <VerifyEmailNotice why={texts.invitations.needsEmail} />
        {emailVerified && !isFull && <InviteForm workspaceId={id} />}
        {limit !== undefined && (
          <Meter label={planTexts.collaborators} used={taken} limit={limit} />
        )}
        {isFull && <Text size="sm">{texts.invitations.full}</Text>}
        <Loaded query={list} skeleton={null}>
          {(data) =>
            data.length > 0 && (
              <>
                <ul className={rows.list} aria-label={texts.invitations.title}>
                  {data.map((invitation) => (
                    <InvitationRow key={invitation.id} invitation={invitation} />
                  ))}
                </ul>
                {list.hasMore && <ListEnd list={list} />}
              </>
            )
          }
        </Loaded>
      </Stack>
    </Section>
  );
}

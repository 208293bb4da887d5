import type { Member, PublicUser, Workspace } from '@atrium/client';
import { Button, Group, NativeSelect, Text } from '@mantine/core';
import { useState } from 'react';
import { ActionsMenu } from '../../ui/controls/actions-menu.tsx';
import { AccountAvatar } from '../../ui/controls/account-avatar.tsx';
import { PopoverMenuItem } from '../../ui/controls/popover-menu.tsx';
import rows from '../../ui/lists/rows.module.css';
import { Time } from '../../ui/times/time.tsx';
import { useUser } from '../../session/user.ts';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { type MemberChange, MemberDialog } from './member-dialog.tsx';
import classes from './members.module.css';
import { type CollaboratorRole, useChangeRole } from './use-members.ts';

const AVATAR_SIZE = 40;

/** A member with what the person who looks may do about them. */
export function MemberRow({
  workspace,
  member,
  person,
}: {
  workspace: Workspace;
  member: Member;
  person: PublicUser | undefined;
}) {
  const { members: texts } = useSignedInText();
  const user = useUser();
  const [asking, setAsking] = useState<MemberChange | null>(null);
  const isOneself = member.userId === user.id;
  const name = person?.name ?? texts.unknown;
  return (
    <li className={rows.item}>
      <div className={classes.member}>
        <AccountAvatar user={{ name, avatar: person?.avatar ?? null }} size={AVATAR_SIZE} />
        <div className={classes.about}>
          <Text fw={500}>{isOneself ? texts.you(name) : name}</Text>
          <Text size="sm" c="dimmed">
            {person !== undefined && <>{`@${person.username} · `}</>}
            {texts.joined} <Time value={member.joinedAt} />
          </Text>
        </div>
        <Group gap={4} wrap="nowrap">
          {workspace.role === 'owner' && !isOneself ? (
            <Controls workspace={workspace} member={member} name={name} onAsk={setAsking} />
          ) : (
            <Text size="sm" c="dimmed">
              {texts.roles[member.role]}
            </Text>
          )}
          {isOneself && member.role !== 'owner' && (
            <Button variant="default" size="xs" ml="xs" onClick={() => setAsking('leave')}>
              {texts.leave.item}
            </Button>
          )}
        </Group>
      </div>
      {asking !== null && (
        <MemberDialog
          change={asking}
          workspace={workspace}
          member={{ userId: member.userId, name }}
          onClose={() => setAsking(null)}
        />
      )}
    </li>
  );
}

/** For the owner, about somebody else, who is never an owner. */
function Controls({
  workspace,
  member: { userId, role },
  name,
  onAsk,
}: {
  workspace: Workspace;
  member: Member;
  name: string;
  onAsk: (change: MemberChange) => void;
}) {
  const { members: texts } = useSignedInText();
  const changeRole = useChangeRole(workspace.id);
  if (role === 'owner') return null;
  return (
    <>
      <NativeSelect
        size="xs"
        aria-label={texts.roleOf(name)}
        value={role}
        data={(['editor', 'viewer'] as const).map((value) => ({
          value,
          label: texts.roles[value],
        }))}
        onChange={(event) =>
          void changeRole({ userId, role }, event.currentTarget.value as CollaboratorRole, name)
        }
      />
      <ActionsMenu label={texts.actions(name)}>
        <PopoverMenuItem onClick={() => onAsk('transfer')}>{texts.transfer.item}</PopoverMenuItem>
        <PopoverMenuItem isDanger onClick={() => onAsk('remove')}>
          {texts.remove.item}
        </PopoverMenuItem>
      </ActionsMenu>
    </>
  );
}

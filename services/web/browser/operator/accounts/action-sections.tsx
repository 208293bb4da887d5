import type { OperatorAccount, ReasonBody } from '@atrium/client';
import { Button, Group, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { queryKeys } from '../../session/query-keys.ts';
import { Section } from '../../ui/page/section.tsx';
import { Time } from '../../ui/times/time.tsx';
import { useToast } from '../../ui/toasts/toasts.tsx';
import { editRow } from '../../ui/lists/use-list.ts';
import { useUser } from '../../session/user.ts';
import { useAllText } from '../../texts/signed-in-texts.tsx';
import { useFigures } from '../figures.ts';
import { operator } from '../operator.ts';
import { ReasonDialog } from './reason-dialog.tsx';

const PLANS = ['free', 'pro', 'unlimited'] as const;

interface Action {
  title: string;
  explanation: string;
  submit: string;
  done: string;
  isDangerous: boolean;
  run: (body: ReasonBody) => Promise<OperatorAccount>;
}

/** Plan, sessions and suspension: each says how it is and has one action, which asks for a reason. */
export function ActionSections({ account }: { account: OperatorAccount }) {
  const { accounts } = useAllText().operator;
  const { count } = useFigures();
  const { id: ownId } = useUser();
  const [asking, setAsking] = useState<Action | null>(null);
  const actions = useActions(account);
  const { activeSessions, plan, suspendedAt } = account;
  // An action takes the place of the one that was done, and with it the focus.
  const button = (action: Action, place = 0) => (
    <Button key={place} variant="default" onClick={() => setAsking(action)}>
      {action.submit}
    </Button>
  );
  const isOwn = account.id === ownId;
  return (
    <>
      <Section
        title={accounts.plan}
        hint={accounts.planHint}
        action={<Group gap="xs">{actions.changePlan.map(button)}</Group>}
      >
        <Text>{accounts.names[plan]}</Text>
      </Section>
      <Section title={accounts.sessions} action={button(actions.signOut)}>
        <Text>{accounts.active(activeSessions, count(activeSessions))}</Text>
      </Section>
      <Section
        title={accounts.suspension}
        hint={isOwn ? accounts.own : accounts.suspensionHint}
        action={!isOwn && button(suspendedAt === null ? actions.suspend : actions.unsuspend)}
      >
        {suspendedAt !== null && (
          <Text>
            {accounts.suspended} <Time value={suspendedAt} />
          </Text>
        )}
      </Section>
      {asking !== null && <ActionDialog action={asking} onClose={() => setAsking(null)} />}
    </>
  );
}

function useActions({ id, username, plan }: OperatorAccount) {
  const { accounts } = useAllText().operator;
  const action = (
    name: 'suspend' | 'unsuspend' | 'signOut',
    run: Action['run'],
    isDangerous: boolean,
  ): Action => {
    const { title, done, ...texts } = accounts[name];
    return { ...texts, title: title(username), done: done(username), isDangerous, run };
  };
  return {
    suspend: action('suspend', (body) => operator.suspendAccount(id, body), true),
    unsuspend: action('unsuspend', (body) => operator.unsuspendAccount(id, body), false),
    signOut: action('signOut', (body) => operator.signOutAccount(id, body), true),
    changePlan: PLANS.filter((other) => other !== plan).map((other): Action => {
      const name = accounts.names[other];
      return {
        title: accounts.changePlan.title(username, name),
        explanation: accounts.changePlan.explanation,
        submit: accounts.changePlan.submit(name),
        done: accounts.changePlan.done(username, name),
        isDangerous: false,
        run: (body) => operator.changeAccountPlan(id, { ...body, plan: other }),
      };
    }),
  };
}

function ActionDialog({ action, onClose }: { action: Action; onClose: () => void }) {
  const toast = useToast();
  const queryClient = useQueryClient();
  const { run, done, ...texts } = action;
  const submit = async (reason: string) => {
    const account = await run({ reason });
    queryClient.setQueryData(queryKeys.operator.account(account.id), account);
    void queryClient.invalidateQueries({ queryKey: queryKeys.operator.actions(account.id) });
    editRow<OperatorAccount>(
      queryClient,
      { queryKey: queryKeys.operator.accountLists },
      account.id,
      () => account,
    );
    toast(done);
  };
  return <ReasonDialog {...texts} onSubmit={submit} onClose={onClose} />;
}

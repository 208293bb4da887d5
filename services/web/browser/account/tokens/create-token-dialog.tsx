import type { OwnerProof, PersonalToken, SecondFactor } from '@atrium/client';
import { SCOPES } from '@atrium/contracts/auth/scope-names';
import { Button, Checkbox, Code, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useRef, useState } from 'react';
import { atrium } from '../../session/atrium.ts';
import { useAllText } from '../../texts/signed-in-texts.tsx';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { UnsavedChanges } from '../../ui/dialogs/unsaved-changes.tsx';
import { ReauthenticationDialog } from '../proof/reauthentication-dialog.tsx';
import { methodsOf } from '../proof/second-factors.ts';

const NAME_LENGTH_MAX = 100;
const LIFETIMES_DAYS = [7, 30, 90, 365];
const DEFAULT_DAYS = 90;

type Scope = PersonalToken['scopes'][number];

/** Asks what the token is for and for the owner, then shows it, this once. */
export function CreateTokenDialog({
  factors,
  onCreated,
  onClose,
}: {
  factors: SecondFactor;
  onCreated: () => void;
  onClose: () => void;
}) {
  const text = useAllText();
  const { tokens } = text;
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<Scope[]>([]);
  const [days, setDays] = useState(DEFAULT_DAYS);
  const [errors, setErrors] = useState<{ name?: string; scopes?: string }>({});
  const [created, setCreated] = useState<string | null>(null);
  const nameInput = useRef<HTMLInputElement>(null);
  const scopeChoice = useRef<HTMLDivElement>(null);
  const validate = () => {
    const isNamed = name.trim() !== '';
    setErrors({
      ...(!isNamed && { name: text.fields.required(tokens.name) }),
      ...(scopes.length === 0 && { scopes: tokens.scopesRequired }),
    });
    if (!isNamed) nameInput.current?.focus();
    else if (scopes.length === 0) scopeChoice.current?.querySelector('input')?.focus();
    return isNamed && scopes.length > 0;
  };
  const create = async (proof: OwnerProof) => {
    const body = { ...proof, name: name.trim(), scopes, expiresInDays: days };
    setCreated((await atrium.auth.createPersonalToken(body)).token);
    onCreated();
  };
  if (created !== null) return <CreatedTokenDialog token={created} onClose={onClose} />;
  return (
    <ReauthenticationDialog
      title={tokens.create}
      explanation={tokens.explanation}
      submit={tokens.submit}
      methods={methodsOf(factors)}
      validate={validate}
      onProof={create}
      onClose={onClose}
    >
      <TextInput
        ref={nameInput}
        label={tokens.name}
        description={tokens.nameHint}
        value={name}
        error={errors.name}
        maxLength={NAME_LENGTH_MAX}
        autoComplete="off"
        data-autofocus
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Checkbox.Group
        ref={scopeChoice}
        label={tokens.scopesLabel}
        value={scopes}
        error={errors.scopes}
        onChange={(chosen) => setScopes(SCOPES.filter((scope) => chosen.includes(scope)))}
      >
        <Stack gap={6} my={4}>
          {SCOPES.map((scope) => (
            <Checkbox key={scope} value={scope} label={tokens.scopes[scope]} description={scope} />
          ))}
        </Stack>
      </Checkbox.Group>
      <NativeSelect
        label={tokens.lifetime}
        value={String(days)}
        data={LIFETIMES_DAYS.map((value) => ({ value: String(value), label: tokens.days(value) }))}
        onChange={(event) => setDays(Number(event.currentTarget.value))}
      />
    </ReauthenticationDialog>
  );
}

function CreatedTokenDialog({ token, onClose }: { token: string; onClose: () => void }) {
  const { tokens } = useAllText();
  return (
    <Dialog title={tokens.shownTitle}>
      <UnsavedChanges when explanation={tokens.shownHint} />
      <Stack>
        <Text size="sm">{tokens.shownHint}</Text>
        <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
          {token}
        </Code>
        <Group justify="space-between">
          <CopyButton value={token} label={tokens.copy} />
          <Button onClick={onClose}>{tokens.done}</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

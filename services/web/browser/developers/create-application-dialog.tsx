import type { Application, CreatedApplication, OwnerProof, SecondFactor } from '@atrium/client';
import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { ReauthenticationDialog } from '../account/proof/reauthentication-dialog.tsx';
import { methodsOf } from '../account/proof/second-factors.ts';
import { applications } from '../session/applications.ts';
import { queryKeys } from '../session/query-keys.ts';
import { useAllText } from '../texts/signed-in-texts.tsx';
import { errorText } from '../ui/error-text.ts';
import { hasCode } from '../ui/forms/form-errors.tsx';
import { linesOf, NAME_LENGTH_MAX, ScopesField } from './fields.tsx';
import { SecretDialog } from './secret-dialog.tsx';

const KINDS: readonly Application['kind'][] = ['web', 'single-page', 'native', 'machine'];

/** Asks what the application is and for its owner, shows its secret, and leads to its page. */
export function CreateApplicationDialog({
  factors,
  onClose,
}: {
  factors: SecondFactor;
  onClose: () => void;
}) {
  const text = useAllText();
  const { own } = text.applications;
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [name, setName] = useState('');
  const [kind, setKind] = useState<Application['kind']>('web');
  const [redirectUrls, setRedirectUrls] = useState('');
  const [scopes, setScopes] = useState<Application['scopes']>([]);
  const [errors, setErrors] = useState<{ name?: string; redirectUrls?: string }>({});
  const [created, setCreated] = useState<CreatedApplication | null>(null);
  const nameInput = useRef<HTMLInputElement>(null);
  const urlsInput = useRef<HTMLTextAreaElement>(null);
  const isMachine = kind === 'machine';
  const validate = () => {
    const isNamed = name.trim() !== '';
    const hasUrls = isMachine || linesOf(redirectUrls).length > 0;
    setErrors({
      ...(!isNamed && { name: text.fields.required(own.name) }),
      ...(!hasUrls && { redirectUrls: own.redirectUrlsRequired }),
    });
    if (!isNamed) nameInput.current?.focus();
    else if (!hasUrls) urlsInput.current?.focus();
    return isNamed && hasUrls;
  };
  const open = ({ id }: { id: string }) =>
    void navigate({
      to: '/developers/applications/$id',
      params: { id },
      replace: true,
      ignoreBlocker: true,
    });
  const create = async (proof: OwnerProof) => {
    try {
      await register(proof);
    } catch (error) {
      if (!hasCode(error, 'url-not-allowed')) throw error;
      setErrors({ redirectUrls: errorText(error, text) });
      urlsInput.current?.focus();
    }
  };
  const register = async (proof: OwnerProof) => {
    const made = await applications.createApplication({
      ...proof,
      kind,
      name: name.trim(),
      redirectUrls: isMachine ? [] : linesOf(redirectUrls),
      scopes,
    });
    void queryClient.invalidateQueries({ queryKey: queryKeys.applications.list });
    if (made.secret === undefined) open(made);
    else setCreated(made);
  };
  if (created?.secret !== undefined) {
    return <SecretDialog secret={created.secret} onDone={() => open(created)} />;
  }
  return (
    <ReauthenticationDialog
      title={own.new}
      explanation={own.explanation}
      submit={own.submit}
      methods={methodsOf(factors)}
      validate={validate}
      onProof={create}
      onClose={onClose}
    >
      <TextInput
        ref={nameInput}
        label={own.name}
        description={own.nameHint}
        value={name}
        error={errors.name}
        maxLength={NAME_LENGTH_MAX}
        autoComplete="off"
        data-autofocus
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <NativeSelect
        label={own.kind}
        value={kind}
        data={KINDS.map((value) => ({ value, label: own.kinds[value] }))}
        onChange={(event) =>
          setKind(KINDS.find((known) => known === event.currentTarget.value) ?? kind)
        }
      />
      {!isMachine && (
        <Textarea
          ref={urlsInput}
          label={own.redirectUrls}
          description={own.redirectUrlsHint}
          value={redirectUrls}
          error={errors.redirectUrls}
          autosize
          minRows={2}
          maxRows={8}
          spellCheck={false}
          onChange={(event) => setRedirectUrls(event.currentTarget.value)}
        />
      )}
      <ScopesField value={scopes} onChange={setScopes} />
    </ReauthenticationDialog>
  );
}

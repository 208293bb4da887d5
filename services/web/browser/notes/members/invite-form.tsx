import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { queryKeys } from '../../session/query-keys.ts';
import { keepFocus } from '../../ui/keep-focus.ts';
import { checksOf } from '../../ui/forms/fields.tsx';
import { FormError } from '../../ui/forms/form-errors.tsx';
import { useSubmission } from '../../ui/forms/use-submission.ts';
import { useToast } from '../../ui/toasts/toasts.tsx';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { workspaces } from '../workspaces/workspaces.ts';
import classes from './members.module.css';
import type { CollaboratorRole } from './use-members.ts';

const EMAIL_LENGTH_MAX = 254;
const START: { email: string; role: CollaboratorRole } = { email: '', role: 'editor' };

export function InviteForm({ workspaceId }: { workspaceId: string }) {
  const text = useSignedInText();
  const { members: texts } = text;
  const toast = useToast();
  const queryClient = useQueryClient();
  const form = useForm({ initialValues: START, validate: { email: checksOf(text).email } });
  const { failure, isPending, onSubmit } = useSubmission(form, async ({ email, role }) => {
    const body = { email: email.trim(), role };
    const invitation = await workspaces.createInvitation(workspaceId, body);
    form.setFieldValue('email', '');
    toast(texts.invitations.sent(invitation.email));
    await queryClient.invalidateQueries({
      queryKey: queryKeys.workspaces.invitations(workspaceId),
    });
  });
  return (
    // It goes with the last place that the plan allows.
    <form ref={keepFocus} noValidate onSubmit={onSubmit}>
      <FormError message={failure} />
      <div className={classes.invite}>
        <TextInput
          key={form.key('email')}
          {...form.getInputProps('email')}
          type="email"
          label={text.fields.email}
          maxLength={EMAIL_LENGTH_MAX}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        <NativeSelect
          key={form.key('role')}
          {...form.getInputProps('role')}
          label={texts.role}
          data={[
            { value: 'editor', label: texts.roles.editor },
            { value: 'viewer', label: texts.roles.viewer },
          ]}
        />
        <Button type="submit" loading={isPending}>
          {texts.invitations.submit}
        </Button>
      </div>
    </form>
  );
}

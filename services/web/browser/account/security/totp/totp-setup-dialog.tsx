import { AtriumError, type TotpSetup } from '@atrium/client';
import { Button, Code, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { CopyButton } from '../../../ui/controls/copy-button.tsx';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { errorText } from '../../../ui/error-text.ts';
import { checksOf } from '../../../ui/forms/fields.tsx';
import { FormError } from '../../../ui/forms/form-errors.tsx';
import { useSubmission } from '../../../ui/forms/use-submission.ts';
import { atrium } from '../../../session/atrium.ts';
import { useAllText } from '../../../texts/signed-in-texts.tsx';
import classes from './totp.module.css';

const QR_SIZE_PX = 200;

/** The secret as a QR code and as a key, and the app's first code, which turns the factor on. */
export function TotpSetupDialog({
  setup,
  onDone,
  onClose,
}: {
  setup: TotpSetup;
  onDone: (recoveryCodes: string[] | null) => void;
  onClose: () => void;
}) {
  const text = useAllText();
  const { totp } = text.account.security;
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { code: '' },
    validate: { code: checksOf(text).required(totp.code) },
  });
  const { failure, isPending, onSubmit } = useSubmission(
    form,
    async ({ code }) => {
      const { recoveryCodes } = await atrium.auth.confirmTotpSetup({ code: code.trim() });
      onDone(recoveryCodes);
    },
    (error) => {
      const status = error instanceof AtriumError ? error.status : 0;
      if (status !== 401) return status === 404 ? totp.startAgain : errorText(error, text);
      form.setErrors({ code: totp.wrongCode });
      form.getInputNode('code')?.focus();
      return null;
    },
  );
  return (
    <Dialog title={totp.setUpTitle} onClose={onClose}>
      <form noValidate onSubmit={onSubmit}>
        <Stack>
          <Text size="sm">{totp.scan}</Text>
          <img
            src={setup.qrCode}
            alt={totp.qrCode}
            width={QR_SIZE_PX}
            height={QR_SIZE_PX}
            className={classes.qrCode}
          />
          <div>
            <Text size="sm" fw={600}>
              {totp.key}
            </Text>
            <Group gap="xs">
              <Code className={classes.key}>{inGroups(setup.secret)}</Code>
              <CopyButton value={setup.secret} label={totp.copyKey} />
            </Group>
          </div>
          <FormError message={failure} />
          <TextInput
            key={form.key('code')}
            {...form.getInputProps('code')}
            label={totp.code}
            description={totp.codeHint}
            inputMode="numeric"
            autoComplete="one-time-code"
            data-autofocus
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {text.proof.cancel}
            </Button>
            <Button type="submit" loading={isPending}>
              {totp.turnOn}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

/** Four letters at a time are easier to type. */
function inGroups(secret: string): string {
  return secret.replaceAll(/(.{4})(?=.)/g, '$1 ');
}

import type { EventNamespace } from '@atrium/client';
import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { queryKeys } from '../../session/query-keys.ts';
import { useAllText } from '../../texts/signed-in-texts.tsx';
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx';
import { useWhileOpen } from '../../ui/dialogs/use-while-open.ts';
import { useSubmission } from '../../ui/forms/use-submission.ts';
import { useToast } from '../../ui/toasts/toasts.tsx';
import { operator } from '../operator.ts';

const APPLICATION_ID = /^(app_[0-9a-z]{26})?$/;

/** Asks which application may publish the events of a product to every account; none by default. */
export function TrustDialog({
  product: { name, trustedApplicationId },
  onClose,
}: {
  product: EventNamespace;
  onClose: () => void;
}) {
  const { products } = useAllText().operator;
  const toast = useToast();
  const queryClient = useQueryClient();
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { application: trustedApplicationId ?? '' },
    validate: {
      application: (id) => (APPLICATION_ID.test(id.trim()) ? null : products.idInvalid),
    },
  });
  const close = useWhileOpen(onClose);
  const submission = useSubmission(form, async ({ application }) => {
    const id = application.trim();
    await operator.updateEventNamespace(name, { trustedApplicationId: id === '' ? null : id });
    await queryClient.invalidateQueries({ queryKey: queryKeys.operator.products });
    toast(products.changed(name));
    close();
  });
  return (
    <FormDialog
      title={products.dialogTitle(name)}
      explanation={products.dialogExplanation}
      submit={products.submit}
      isDangerous={false}
      submission={submission}
      onClose={onClose}
    >
      <TextInput
        key={form.key('application')}
        {...form.getInputProps('application')}
        label={products.application}
        description={products.applicationHint}
        maxLength={40}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
      />
    </FormDialog>
  );
}

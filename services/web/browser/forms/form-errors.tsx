import { AtriumError } from '@atrium/client';
import { Alert } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { errorText } from '../frame/error-text.ts';
import type { Texts } from '../texts/en/visitor.ts';

/** What went wrong with a whole form; it is read out when it appears. */
export function FormError({ message }: { message: string | null }) {
  return (
    <div role="alert">
      {message !== null && (
        <Alert color="red" variant="light">
          {message}
        </Alert>
      )}
    </div>
  );
}

/** The first faulty field gets the focus, so that its error is read out and can be mended at once. */
export function focusFirstError<Values extends Record<string, unknown>>(
  form: UseFormReturnType<Values>,
): (errors: Record<string, unknown>) => void {
  return (errors) => {
    const [first] = Object.keys(errors);
    if (first !== undefined) form.getInputNode(first)?.focus();
  };
}

/**
 * Shows the error of a service at the field that its message names first ("Password must …").
 * @returns the message when it names none of the fields
 */
export function showServiceError<Values extends Record<string, unknown>>(
  form: UseFormReturnType<Values>,
  error: unknown,
  text: Texts,
): string | null {
  const isAboutInput = error instanceof AtriumError && [400, 409, 422].includes(error.status);
  const [word = ''] = isAboutInput ? error.message.split(/[^A-Za-z]/) : [];
  const field = Object.keys(form.getValues()).find(
    (name) => name.toLowerCase() === word.toLowerCase(),
  );
  if (field === undefined) return errorText(error, text);
  form.setErrors({ [field]: errorText(error, text) });
  form.getInputNode(field)?.focus();
  return null;
}

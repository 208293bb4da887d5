import { AtriumError } from '@atrium/client';
import { Alert } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { errorText } from '../frame/error-text.ts';
import type { Refusal } from '../texts/de/refusals.ts';
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

/** Statuses of refusals that are about what was sent. */
const ABOUT_INPUT = [400, 401, 409, 422];

/** Whether a service refuses this field: its sentence begins with the name ("New password must …"). */
export function isAbout(error: unknown, field: string): boolean {
  if (!(error instanceof AtriumError) || !ABOUT_INPUT.includes(error.status)) return false;
  const name = field.replaceAll(/[A-Z]/g, (letter) => ` ${letter}`);
  return new RegExp(`^${name}\\b`, 'i').test(error.message);
}

/** Whether a service refuses with this sentence. */
export function isRefusal(error: unknown, sentence: Refusal): boolean {
  return error instanceof AtriumError && error.message === sentence;
}

/**
 * Shows the error of a service at the field that it is about.
 * @returns the message when it is about none of the fields
 */
export function showServiceError<Values extends Record<string, unknown>>(
  form: UseFormReturnType<Values>,
  error: unknown,
  text: Texts,
): string | null {
  const field = Object.keys(form.getValues()).find((name) => isAbout(error, name));
  if (field === undefined) return errorText(error, text);
  form.setErrors({ [field]: errorText(error, text) });
  form.getInputNode(field)?.focus();
  return null;
}

import { AtriumError, type ErrorCode } from '@atrium/client';
import { Alert } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { errorText } from '../error-text.ts';
import type { Texts } from '../../texts/en/visitor.ts';

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
    const field = first === undefined ? null : form.getInputNode(first);
    // Choices are in a group, which itself takes no focus.
    (field?.querySelector('input') ?? field)?.focus();
  };
}

/** The fields that an error can be about; a form has one of them. */
const FIELDS: Partial<Record<ErrorCode, readonly string[]>> = {
  'username-taken': ['username'],
  'slug-taken': ['slug'],
  'password-wrong': ['currentPassword', 'password'],
  'password-too-short': ['newPassword', 'password'],
  'password-too-common': ['newPassword', 'password'],
  'password-with-name': ['newPassword', 'password'],
  'email-unchanged': ['email'],
  'invitation-exists': ['email'],
  'url-not-allowed': ['url'],
};

/** Whether a service refuses with one of these codes. */
export function hasCode(error: unknown, ...codes: ErrorCode[]): error is AtriumError {
  return error instanceof AtriumError && codes.some((code) => code === error.code);
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
  const code = error instanceof AtriumError ? error.code : undefined;
  const values = form.getValues();
  const field = code && FIELDS[code]?.find((name) => name in values);
  if (field === undefined) return errorText(error, text);
  form.setErrors({ [field]: errorText(error, text) });
  form.getInputNode(field)?.focus();
  return null;
}

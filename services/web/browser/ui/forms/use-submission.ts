import type { UseFormReturnType } from '@mantine/form';
import { type FormEvent, useState } from 'react';
import { useText } from '../../texts/texts.tsx';
import { focusFirstError, showServiceError } from './form-errors.tsx';

/** A form while it is sent, and what went wrong with it as a whole. */
export interface Submission {
  failure: string | null;
  isPending: boolean;
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
}

/**
 * Sends the values of a form once they are valid.
 *
 * @param explain shows an error, and returns what to say of the whole form. By default an error of a service
 * is shown at the field that it is about.
 */
export function useSubmission<Values extends Record<string, unknown>>(
  form: UseFormReturnType<Values>,
  send: (values: Values) => Promise<unknown>,
  explain?: (error: unknown) => string | null,
): Submission {
  const text = useText();
  const [failure, setFailure] = useState<string | null>(null);
  const [isPending, setPending] = useState(false);
  const submit = async (values: Values) => {
    setPending(true);
    setFailure(null);
    try {
      await send(values);
    } catch (error) {
      setFailure(explain === undefined ? showServiceError(form, error, text) : explain(error));
    } finally {
      setPending(false);
    }
  };
  const onSubmit = form.onSubmit((values) => void submit(values), focusFirstError(form));
  return { failure, isPending, onSubmit };
}

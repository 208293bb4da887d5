import type { RegisterBody } from '@atrium/client';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useCallback, useEffect, useRef, useState } from 'react';
import { useText } from '../texts/texts.tsx';
import { Form } from '../ui/forms/form.tsx';
import { checksOf, EmailField, NewPassword } from '../ui/forms/fields.tsx';
import { FormError } from '../ui/forms/form-errors.tsx';
import { useSubmission } from '../ui/forms/use-submission.ts';
import { PERSON_FIELDS, PersonFields, personChecks } from './person-fields.tsx';

const EMPTY: RegisterBody = {
  name: '',
  username: '',
  email: '',
  password: '',
  birthdate: '',
  gender: 'unspecified',
};
const STEPS = {
  login: ['email', 'password'],
  person: PERSON_FIELDS,
} as const;

declare module '@tanstack/react-router' {
  interface HistoryState {
    signUpStep?: keyof typeof STEPS;
  }
}

/** First how one logs in, then who one is. Both steps are one form, so that a password manager sees all of it. */
export function SignupForm({ onSubmit }: { onSubmit: (body: RegisterBody) => Promise<void> }) {
  const text = useText();
  const { fields, signup } = text;
  const [password, setPassword] = useState('');
  const navigate = useNavigate();
  // In the history, so that Back leads to the first step and not away from what was typed.
  const step = useLocation({ select: ({ state }) => state.signUpStep ?? 'login' });
  const showStep = useCallback(
    (signUpStep: keyof typeof STEPS) =>
      void navigate({
        to: '.',
        search: true,
        state: { signUpStep },
        replace: signUpStep === 'login',
      }),
    [navigate],
  );
  const checks = checksOf(text);
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: EMPTY,
    validateInputOnBlur: true,
    onValuesChange: (values) => setPassword(values.password),
    validate: {
      email: checks.email,
      password: checks.newPassword,
      ...personChecks(text),
    },
  });
  const submission = useSubmission(form, onSubmit);
  const { errors } = form;
  const shown = useRef(step);
  useEffect(() => {
    // What the service refuses may have been asked for in the first step; whoever returns to the page begins with it.
    const isFaulty = (field: keyof RegisterBody) =>
      errors[field] !== undefined || form.getValues()[field] === '';
    if (step === 'person' && STEPS.login.some(isFaulty)) {
      showStep('login');
      return;
    }
    if (shown.current === step) return;
    shown.current = step;
    const faulty = STEPS[step].find((field) => errors[field] !== undefined);
    form.getInputNode(faulty ?? STEPS[step][0])?.focus();
  }, [step, errors, form, showStep]);

  const goOn = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const faulty = STEPS.login.filter((field) => form.validateField(field).hasError);
    if (faulty[0] === undefined) showStep('person');
    else form.getInputNode(faulty[0])?.focus();
  };
  const input = (name: keyof RegisterBody) => ({
    key: form.key(name),
    ...form.getInputProps(name),
  });
  return (
    <Form onSubmit={step === 'login' ? goOn : submission.onSubmit}>
      <Text size="sm" c="dimmed" mb="md" role="status">
        {signup.step(step === 'login' ? 1 : 2)}
      </Text>
      <FormError message={submission.failure} />
      <div hidden={step !== 'login'}>
        <Stack>
          <EmailField {...input('email')} />
          <NewPassword {...input('password')} label={fields.password} chosen={password} />
          {/* Enter presses the first button that submits, even where that is hidden. */}
          <Button type={step === 'login' ? 'submit' : 'button'}>{signup.next}</Button>
        </Stack>
      </div>
      <div hidden={step !== 'person'}>
        <Stack>
          <PersonFields input={input} />
          <Group grow>
            <Button variant="default" onClick={() => window.history.back()}>
              {signup.back}
            </Button>
            <Button type="submit" loading={submission.isPending}>
              {signup.submit}
            </Button>
          </Group>
        </Stack>
      </div>
    </Form>
  );
}

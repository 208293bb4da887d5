import { Button, Stack, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useNavigate } from '@tanstack/react-router';
import { checksOf } from '../ui/forms/fields.tsx';
import { focusFirstError } from '../ui/forms/form-errors.tsx';
import { useAllText } from '../texts/signed-in-texts.tsx';

/** Asks for the code that the device shows; the URL takes it. */
export function CodeForm({
  unknownCode,
}: {
  /** The code that was given before, which no login waits for. */
  unknownCode?: string;
}) {
  const text = useAllText();
  const { deviceLogin } = text;
  const navigate = useNavigate();
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { code: unknownCode ?? '' },
    initialErrors: unknownCode === undefined ? {} : { code: deviceLogin.unknown },
    validate: {
      code: (code) =>
        code.trim() === unknownCode
          ? deviceLogin.unknown
          : checksOf(text).required(deviceLogin.code)(code),
    },
  });
  const submit = (code: string) => void navigate({ to: '.', search: () => ({ code }) });
  return (
    <Stack gap="lg" maw={480}>
      <Title order={1}>{deviceLogin.title}</Title>
      <Text>{deviceLogin.enter}</Text>
      <form
        noValidate
        onSubmit={form.onSubmit(({ code }) => submit(code.trim()), focusFirstError(form))}
      >
        <Stack align="flex-start">
          <TextInput
            key={form.key('code')}
            {...form.getInputProps('code')}
            label={deviceLogin.code}
            placeholder={deviceLogin.example}
            maxLength={40}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
          />
          <Button type="submit">{deviceLogin.next}</Button>
        </Stack>
      </form>
    </Stack>
  );
}

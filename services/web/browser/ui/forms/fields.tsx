import {
  PasswordInput,
  type PasswordInputProps,
  Text,
  TextInput,
  type TextInputProps,
} from '@mantine/core';
import type { Texts } from '../../texts/en/visitor.ts';
import { useText } from '../../texts/texts.tsx';

const PASSWORD_LENGTH_MIN = 8;
const PASSWORD_LENGTH_MAX = 128;
const PASSWORD_LENGTH_GOOD = 16;

type Check = (value: string) => string | null;

/** What is certainly wrong with a value; the service checks the rest. */
export function checksOf({ fields }: Texts) {
  const required =
    (label: string, check: Check = () => null): Check =>
    (value) =>
      value.trim() === '' ? fields.required(label) : check(value);
  return {
    required,
    email: required(fields.email, (value) =>
      /^[^\s@]+@[^\s@]+$/.test(value) ? null : fields.invalidEmail,
    ),
    username: required(fields.username, (value) =>
      /^[A-Za-z0-9_.-]{3,30}$/.test(value) ? null : fields.invalidUsername,
    ),
    birthdate: required(fields.birthdate, (value) =>
      Date.parse(value) > Date.now() ? fields.birthdateInFuture : null,
    ),
    newPassword: (value: string) => {
      if (value === '') return fields.required(fields.password);
      const { length } = Array.from(value);
      if (length < PASSWORD_LENGTH_MIN) return fields.passwordTooShort;
      return length > PASSWORD_LENGTH_MAX ? fields.passwordTooLong : null;
    },
  };
}

export function UsernameField(props: TextInputProps) {
  const { fields } = useText();
  return (
    <TextInput
      label={fields.username}
      description={fields.usernameHint}
      autoComplete="nickname"
      autoCapitalize="none"
      spellCheck={false}
      {...props}
    />
  );
}

/** The email address of an account, with which its owner logs in. */
export function EmailField(props: TextInputProps) {
  const { fields } = useText();
  return (
    <TextInput
      label={fields.email}
      type="email"
      inputMode="email"
      autoComplete="username"
      {...props}
    />
  );
}

/** A password that is already known to the account. */
export function CurrentPassword(props: PasswordInputProps) {
  const { fields } = useText();
  return (
    <PasswordInput
      label={fields.password}
      autoComplete="current-password"
      visibilityToggleButtonProps={{ 'aria-label': fields.showPassword, tabIndex: 0 }}
      {...props}
    />
  );
}

/** A password to be chosen, with its strength in words. */
export function NewPassword({ chosen, ...props }: PasswordInputProps & { chosen: string }) {
  const { fields } = useText();
  return (
    <div>
      <PasswordInput
        label={fields.newPassword}
        autoComplete="new-password"
        visibilityToggleButtonProps={{ 'aria-label': fields.showPassword, tabIndex: 0 }}
        {...props}
      />
      <Text size="sm" c="dimmed" mt={4} mih={props.error ? 0 : 21} role="status">
        {chosen !== '' && !props.error && strengthOf(chosen, fields.strength)}
      </Text>
    </div>
  );
}

function strengthOf(password: string, strength: Texts['fields']['strength']): string {
  const { length } = Array.from(password);
  if (length < PASSWORD_LENGTH_MIN) return strength.short;
  return length < PASSWORD_LENGTH_GOOD ? strength.fair : strength.good;
}

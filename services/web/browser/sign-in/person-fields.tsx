import { NativeSelect, TextInput } from '@mantine/core';
import { useText } from '../texts/texts.tsx';
import { checksOf, UsernameField } from '../ui/forms/fields.tsx';

/** The fields that say who opens an account. */
export const PERSON_FIELDS = ['name', 'username', 'birthdate', 'gender'] as const;

export const personChecks = (text: ReturnType<typeof useText>) => {
  const checks = checksOf(text);
  return {
    name: checks.required(text.fields.name),
    username: checks.username,
    birthdate: checks.birthdate,
  };
};

/** @param input what the form gives the field of a name */
export function PersonFields({
  input,
}: {
  input: (name: (typeof PERSON_FIELDS)[number]) => Record<string, unknown>;
}) {
  const { fields } = useText();
  return (
    <>
      <TextInput {...input('name')} label={fields.name} autoComplete="name" />
      <UsernameField {...input('username')} />
      <TextInput {...input('birthdate')} label={fields.birthdate} type="date" autoComplete="bday" />
      <NativeSelect
        {...input('gender')}
        label={fields.gender}
        autoComplete="sex"
        data={Object.entries(fields.genders).map(([value, label]) => ({ value, label }))}
      />
    </>
  );
}

import { NativeSelect, PasswordInput, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useAllText } from '../texts/signed-in-texts.tsx';
import { type DestinationValues, KIND_FIELDS, type Kind, KINDS } from './destination-values.ts';

/** Which kind of destination, and what that kind needs. */
export function DestinationFields<Values extends { destination: DestinationValues }>({
  form,
  kind,
  onKind,
}: {
  form: UseFormReturnType<Values>;
  kind: Kind;
  onKind: (kind: Kind) => void;
}) {
  const { destination } = useAllText().webhooks;
  const { fields, hints, kinds } = destination;
  const { required, optional } = KIND_FIELDS[kind];
  const isAws = kind === 'sqs' || kind === 's3';
  return (
    <>
      <NativeSelect
        label={destination.title}
        value={kind}
        data={KINDS.map((each) => ({ value: each, label: kinds[each] }))}
        onChange={({ currentTarget: { value } }) =>
          onKind(KINDS.find((each) => each === value) ?? 'http')
        }
      />
      {[...required, ...optional].map((name) => {
        const isSecret = name === 'password';
        const Input = isSecret ? PasswordInput : TextInput;
        const label = isAws && (name === 'user' || isSecret) ? destination.aws[name] : fields[name];
        return (
          <Input
            key={form.key(`destination.${name}`)}
            {...form.getInputProps(`destination.${name}`)}
            label={label}
            description={optional.includes(name) ? hints[name] : undefined}
            inputMode={name === 'maxLength' ? 'numeric' : undefined}
            autoComplete={isSecret ? 'new-password' : 'off'}
            spellCheck={false}
          />
        );
      })}
    </>
  );
}

import type { Application } from '@atrium/client';
import { SCOPES } from '@atrium/contracts/auth/scope-names';
import { Checkbox, Stack } from '@mantine/core';
import { useAllText } from '../texts/signed-in-texts.tsx';

export const NAME_LENGTH_MAX = 100;

/** The lines of a field that have something in them. */
export const linesOf = (value: string): string[] => [
  ...new Set(
    value
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  ),
];

/** What an application may ask people for. */
export function ScopesField({
  value,
  onChange,
}: {
  value: Application['scopes'];
  onChange: (scopes: Application['scopes']) => void;
}) {
  const { own, scopes } = useAllText().applications;
  return (
    <Checkbox.Group
      label={own.scopes}
      value={value}
      onChange={(chosen) => onChange(SCOPES.filter((scope) => chosen.includes(scope)))}
    >
      <Stack gap={6} my={4}>
        {SCOPES.map((scope) => (
          <Checkbox key={scope} value={scope} label={scopes[scope]} description={scope} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}

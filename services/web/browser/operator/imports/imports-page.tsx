import { ACCOUNT_IMPORT_MAX_BYTES } from '@atrium/contracts/auth/account-import-size';
import { Button, Code, FileButton, Group, Loader, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useAllText } from '../../texts/signed-in-texts.tsx';
import { errorText } from '../../ui/error-text.ts';
import { FormError } from '../../ui/forms/form-errors.tsx';
import { EmptyList } from '../../ui/lists/empty-list.tsx';
import rows from '../../ui/lists/rows.module.css';
import { RowsSkeleton } from '../../ui/lists/rows-skeleton.tsx';
import { Loaded } from '../../ui/page/loaded.tsx';
import { Section } from '../../ui/page/section.tsx';
import { OperatorPage } from '../operator-page.tsx';
import classes from '../operator.module.css';
import { ImportRow } from './import-row.tsx';
import { isUnfinished, useImports } from './use-imports.ts';

const EXAMPLE = `{"email":"ada@example.com","birthdate":"1990-12-10","passwordHash":"$2b$12$…"}`;

/** Accounts that move in from another system, file by file. */
export function ImportsPage() {
  const text = useAllText();
  const { imports } = text.operator;
  const { list, start } = useImports();
  const [isTooLarge, setTooLarge] = useState(false);
  const { data: known = [] } = list;
  const choose = (file: File | null) => {
    if (file === null) return;
    setTooLarge(file.size > ACCOUNT_IMPORT_MAX_BYTES);
    if (file.size <= ACCOUNT_IMPORT_MAX_BYTES) start.mutate(file);
  };
  const failure = start.error === null ? null : errorText(start.error, text);
  return (
    <OperatorPage title={imports.title} explanation={imports.explanation}>
      <Stack gap="xs">
        <Text size="sm">{imports.format}</Text>
        <Code block className={classes.example}>
          {EXAMPLE}
        </Code>
        <Group gap="sm">
          {!start.isPending && !known.some(isUnfinished) && (
            <FileButton onChange={choose}>
              {(props) => <Button {...props}>{imports.choose}</Button>}
            </FileButton>
          )}
          <div role="status">
            {start.isPending ? (
              <Group gap="xs">
                <Loader size="xs" />
                <Text size="sm">
                  {imports.uploading(start.variables.name)} {imports.stay}
                </Text>
              </Group>
            ) : (
              <Text size="sm" c="dimmed">
                {known.some(isUnfinished) ? imports.goesOn : imports.hint}
              </Text>
            )}
          </div>
        </Group>
        <FormError message={isTooLarge ? imports.tooLarge : failure} />
      </Stack>
      <Section title={imports.list}>
        <Loaded query={list} skeleton={<RowsSkeleton rows={3} height={96} />}>
          {(data) =>
            data.length === 0 ? (
              <EmptyList text={imports.none} />
            ) : (
              <ul className={rows.list}>
                {data.map((one) => (
                  <li key={one.id} className={rows.item}>
                    <ImportRow current={one} />
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
      </Section>
    </OperatorPage>
  );
}

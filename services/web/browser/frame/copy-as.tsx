import { Button, Menu } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { useSignedInText } from '../texts/signed-in-texts.tsx';

const COPIED_MS = 2_000;

/** Offers what the page does as a command and as code, for use outside it. */
export function CopyAs({
  method,
  url,
  body,
  code,
}: {
  method: 'GET' | 'POST';
  url: string;
  body?: object;
  /** With `atrium`, as `createAtrium` returns it. */
  code: string;
}) {
  const { copyAs } = useSignedInText();
  const { copy, copied } = useClipboard({ timeout: COPIED_MS });
  const data =
    body === undefined ? '' : ` -H "Content-Type: application/json" -d '${JSON.stringify(body)}'`;
  const curl = `curl -X ${method} "${url}" -H "Authorization: Bearer $ATRIUM_TOKEN"${data}`;
  return (
    <Menu position="bottom-end" transitionProps={{ duration: 0 }}>
      <Menu.Target>
        <Button variant="default">{copied ? copyAs.copied : copyAs.title}</Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => copy(curl)}>{copyAs.curl}</Menu.Item>
        <Menu.Item onClick={() => copy(code)}>{copyAs.code}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

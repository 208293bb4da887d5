import { Button } from '@mantine/core';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { PopoverMenu, PopoverMenuItem } from './popover-menu.tsx';
import { useCopy } from './use-copy.ts';

interface Action {
  method: 'GET' | 'POST';
  url: string;
  body?: object;
  /** With `atrium`, as `createAtrium` returns it. */
  code: string;
}

/** Offers what the page does as a command and as code, for use outside it. */
export function CopyAs({ size, ...action }: Action & { size?: 'compact-sm' }) {
  const { copyAs } = useSignedInText();
  const { copy, copied } = useCopy();
  return (
    <PopoverMenu
      button={(opens) => (
        <Button {...opens} variant="default" {...(size !== undefined && { size })}>
          {copied ? copyAs.copied : copyAs.title}
        </Button>
      )}
    >
      <CopyAsItems {...action} copy={(text) => void copy(text)} />
    </PopoverMenu>
  );
}

/** The same in a menu that a page has already. */
export function CopyAsItems({
  method,
  url,
  body,
  code,
  copy,
}: Action & { copy: (text: string) => void }) {
  const { copyAs } = useSignedInText();
  const data =
    body === undefined
      ? ''
      : ` -H "Content-Type: application/json" -d ${quoted(JSON.stringify(body))}`;
  const curl = `curl -X ${method} "${url}" -H "Authorization: Bearer $ATRIUM_TOKEN"${data}`;
  return (
    <>
      <PopoverMenuItem onClick={() => copy(curl)}>{copyAs.curl}</PopoverMenuItem>
      <PopoverMenuItem onClick={() => copy(code)}>{copyAs.code}</PopoverMenuItem>
    </>
  );
}

/** For a shell. */
const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

import { useAuth } from '@atrium/client/react';
import { useState } from 'react';
import { ButtonLink } from '../../ui/controls/links.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { atrium } from '../../session/atrium.ts';
import { LoginDialog } from '../login-dialog.tsx';
import { useEmailLinkTexts } from '../../texts/lazy-texts.ts';
import { useText } from '../../texts/texts.tsx';
import { TokenPage } from './token-page.tsx';

const FILE_NAME = 'atrium-export.json';

/** Where the email about a finished export leads. The download needs its owner's session. */
export function ExportPage() {
  const texts = useEmailLinkTexts().export;
  const { login } = useText();
  const { user, isInitializing } = useAuth();
  const [isLoggingIn, setLoggingIn] = useState(false);
  return (
    <>
      <TokenPage
        texts={texts}
        act={download}
        expiredAction={<ButtonLink to="/account/data">{texts.title}</ButtonLink>}
      />
      {((user === null && !isInitializing) || isLoggingIn) && (
        <LoginDialog
          title={login.title}
          explanation={texts.logIn}
          hasProviders={false}
          onBusy={setLoggingIn}
          onDone={() => setLoggingIn(false)}
        />
      )}
    </>
  );
}

async function download(token: string): Promise<void> {
  const content = await atrium.auth.downloadAccountExport(token);
  saveFile(FILE_NAME, await new Response(content).blob());
}

import type { PasswordLoginResponse } from '@atrium/client';
import { type ReactNode, Suspense, useState } from 'react';
import { LatePart } from '../ui/late/late-page.tsx';
import { lazyPart } from '../ui/lazy-part.tsx';
import { PasswordStep } from './password-step.tsx';

/** Most logins end with the password. */
const SecondStep = lazyPart(async () => (await import('./second-step.tsx')).SecondStep);
const RestoreStep = lazyPart(async () => (await import('./restore-step.tsx')).RestoreStep);

type Step =
  | { kind: 'password'; note?: string }
  | { kind: 'second'; mfaToken: string }
  | { kind: 'restore'; erasesAt: string };

/** What a login asks for, one thing after the other: on the login page and in the dialog over a page. */
export function LoginSteps({
  onBusy,
  onDone,
  children,
}: {
  /** Whether a session is about to begin, after which something may still be asked. */
  onBusy: (isBusy: boolean) => void;
  onDone: () => void;
  /** Other ways to get in, below the first thing that is asked. */
  children?: ReactNode;
}) {
  const [step, setStep] = useState<Step>({ kind: 'password' });
  const logIn = async (request: () => Promise<PasswordLoginResponse>) => {
    let hasBegun = false;
    onBusy(true);
    try {
      const response = await request();
      hasBegun = !('mfaRequired' in response);
      if ('mfaRequired' in response) setStep({ kind: 'second', mfaToken: response.mfaToken });
      else if (response.erasesAt === undefined) onDone();
      else setStep({ kind: 'restore', erasesAt: response.erasesAt });
    } finally {
      if (!hasBegun) onBusy(false);
    }
  };
  switch (step.kind) {
    case 'password':
      return (
        <>
          <PasswordStep {...(step.note !== undefined && { note: step.note })} logIn={logIn} />
          {children}
        </>
      );
    case 'second':
      return (
        <Suspense fallback={<LatePart />}>
          <SecondStep
            mfaToken={step.mfaToken}
            logIn={logIn}
            onBack={(note) => setStep({ kind: 'password', ...(note !== undefined && { note }) })}
          />
        </Suspense>
      );
    case 'restore':
      return (
        <Suspense fallback={<LatePart />}>
          <RestoreStep erasesAt={step.erasesAt} onDone={onDone} />
        </Suspense>
      );
  }
}

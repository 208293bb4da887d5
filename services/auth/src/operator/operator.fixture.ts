import {
  addTotp,
  passFirstStep,
  takeSecondStep,
  type TotpAccount,
} from '../second-factor/second-factor.fixture.ts';
import { makeAccount, type TestApp, valueOf } from '../test-app.ts';

export interface OperatorAccount extends TotpAccount {
  call: (
    method: 'GET' | 'POST' | 'PATCH',
    path: string,
    body?: object,
  ) => ReturnType<TestApp['call']>;
}

/** Logs in with the second factor. */
export async function signInTwice<Known extends TotpAccount>(
  app: TestApp,
  account: Known,
): Promise<Known> {
  const code = account.codes.next();
  const answer = await takeSecondStep(app, await passFirstStep(app, account), { code });
  return {
    ...account,
    accessToken: String(answer.body['accessToken']),
    refreshToken: valueOf(answer.cookies['refreshToken']),
  };
}

/** An account that `OPERATOR_EMAILS` must list, in a session that has passed its second factor. */
export async function makeOperator(app: TestApp, username: string): Promise<OperatorAccount> {
  const made = await addTotp(app, await makeAccount(app, username));
  const operator = await signInTwice(app, made);
  return {
    ...operator,
    call: (method, path, body) =>
      app.call(method, `/api/operator/accounts${path}`, {
        token: operator.accessToken,
        ...(body === undefined ? {} : { body }),
      }),
  };
}

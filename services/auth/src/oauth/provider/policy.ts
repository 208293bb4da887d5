import { interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider';
import { ACR, splitScope } from './constants.ts';

const { base, Check, Prompt } = interactionPolicy;

/** Whether the application takes only a login with a second factor. The best that it takes comes first. */
export function needsSecondFactor(params: Record<string, unknown> | undefined): boolean {
  const wanted = splitScope(params?.['acr_values']);
  return wanted.includes(ACR.twoFactors) && !wanted.includes(ACR.oneFactor);
}

/** When a person has to be asked: for the reasons of the library, and for a login that is not strong enough. */
export function createPolicy() {
  const policy = base();
  policy.add(new Prompt({ name: 'select_account', requestable: true }), 0);
  const isTooWeak = ({ oidc }: KoaContextWithOIDC) =>
    needsSecondFactor(oidc.params) && oidc.session?.acr !== ACR.twoFactors;
  // The library counts whole seconds, so a login of this second would do.
  const isOld = ({ oidc }: KoaContextWithOIDC) =>
    Number(oidc.params?.['max_age']) === 0 && oidc.result?.login === undefined;
  const checks = policy.get('login')?.checks;
  checks?.add(new Check('acr_values', 'A second factor is required', 'login_required', isTooWeak));
  checks?.add(new Check('max_age_zero', 'A new login is required', 'login_required', isOld));
  return policy;
}

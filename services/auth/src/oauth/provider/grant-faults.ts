import type Provider from 'oidc-provider';
import type { errors } from 'oidc-provider';

/**
 * Says what is wrong with a code or a refresh token, where the library says one sentence for all. Whoever is told
 * has it already, and most have proved who they are.
 */
export function describeGrantFaults(provider: Provider): void {
  provider.on('grant.error', (ctx, error: errors.OIDCProviderError & { cause?: unknown }) => {
    const { cause } = error;
    const detail = error.error_detail ?? (cause instanceof Error ? cause.message : undefined);
    if (error.error === 'invalid_grant' && detail !== undefined) {
      Object.assign(Object(ctx.body), { error_description: detail });
    }
  });
}

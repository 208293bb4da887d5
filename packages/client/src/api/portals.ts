import type { CallOptions } from '../http/send.ts';
import type { Routes } from '../http/routes.ts';
import type {
  CreatePortalSessionBody,
  OpenedPortal,
  OpenPortalBody,
  Portal,
  Portals,
  PortalSession,
  PutPortalBody,
  WebhookKeys,
} from '../publishing-types.ts';

/** The webhooks of a product for its customers, and what anybody may read of a webhook. */
export interface PortalsApi {
  /**
   * Lists the products of the account, each with its portal.
   * @example
   * const { data } = await portals.listPortals();
   */
  listPortals: (options?: CallOptions) => Promise<Portals>;
  /**
   * Says how the portal of a product looks, and whose pages may show it.
   * @example
   * await portals.putPortal('shop', {
   *   name: 'Shop',
   *   colour: '#0a6847',
   *   logo: null,
   *   origins: ['https://app.shop.example'],
   * });
   */
  putPortal: (namespace: string, body: PutPortalBody, options?: CallOptions) => Promise<Portal>;
  /**
   * Makes a link that opens the webhooks of a product for one of its customers, for an hour.
   * @example
   * const { url } = await portals.createPortalSession({ namespace: 'shop', accountId: 'usr_…' });
   */
  createPortalSession: (
    body: CreatePortalSessionBody,
    options?: CallOptions,
  ) => Promise<PortalSession>;
  /**
   * Exchanges the token of a link for one that reads and changes webhooks.
   * @example
   * const { accessToken, portal } = await portals.openPortal({ token });
   */
  openPortal: (body: OpenPortalBody, options?: CallOptions) => Promise<OpenedPortal>;
  /**
   * Returns the public keys that verify the deliveries of a webhook with ed25519.
   * @example
   * const { keys } = await portals.getWebhookKeys('whk_…');
   */
  getWebhookKeys: (id: string, options?: CallOptions) => Promise<WebhookKeys>;
}

export const PORTALS_ROUTES: Routes<PortalsApi> = {
  listPortals: 'GET /api/portals',
  putPortal: 'PUT /api/portals/{namespace} body',
  createPortalSession: 'POST /api/portal-sessions body',
  openPortal: 'POST /api/portal-sessions/open body public twice',
  getWebhookKeys: 'GET /.well-known/webhook-keys/{id} public',
};

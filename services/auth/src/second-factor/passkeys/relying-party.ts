/** The relying party of all passkeys (WebAuthn Level 3 section 4). */
export interface RelyingParty {
  name: string;
  /** The host that a passkey is bound to. */
  id: string;
  /** The only origin that may use it. */
  origin: string;
}

/** Passkeys belong to the web client at `WEB_URL`. */
export function relyingPartyOf(webUrl: string): RelyingParty {
  const { hostname, origin } = new URL(webUrl);
  return { name: 'Atrium', id: hostname, origin };
}

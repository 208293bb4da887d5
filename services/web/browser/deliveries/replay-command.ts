const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/**
 * A command for a POSIX shell with curl and OpenSSL that sends a delivery as Atrium does, signed anew with the
 * secret in WEBHOOK_SECRET. Custom headers are missing: their values are not shown.
 */
export function replayCommand(delivery: {
  id: string;
  event: string;
  body: string;
  url: string;
}): string {
  const { id, event, body, url } = delivery;
  return [
    `body=${quoted(body)}`,
    'sent_at=$(date +%s)',
    `service=$(printf '%s' "$body" | openssl dgst -sha256 -hmac "$WEBHOOK_SECRET" -r | cut -d ' ' -f 1)`,
    // The key of Standard Webhooks is what stands behind the prefix, decoded.
    "key=$(printf '%s' \"${WEBHOOK_SECRET#whsec_}\" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \\n')",
    `standard=$(printf '%s' "${id}.$sent_at.$body" | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | openssl base64 -A)`,
    `curl -i -X POST ${quoted(url)} -H 'content-type: application/json' -H 'user-agent: Atrium-Webhooks/1' \\`,
    `  -H "service-signature: $service" -H 'service-event: ${event}' -H 'service-delivery: ${id}' \\`,
    `  -H 'webhook-id: ${id}' -H "webhook-timestamp: $sent_at" -H "webhook-signature: v1,$standard" \\`,
    '  --data-binary "$body"',
  ].join('\n');
}

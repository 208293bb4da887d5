export const verification = {
  title: 'Why does the signature not verify?',
  explanation:
    'Paste what your server received. Everything is computed in this page; nothing is sent anywhere.',
  body: 'Body',
  bodyHint: 'The raw body, exactly as it arrived',
  secret: 'Secret or public key',
  signature: 'Service-Signature or webhook-signature',
  signatureHint: 'The value of one of these headers',
  headerHint: 'The value of this header, which is signed too',
  submit: 'Check',
  showSecret: 'Show it',
  matches: 'It verifies: body, secret and signature belong together.',
  matchesHint:
    'If your server still refuses it, it does not see the same bytes: read the raw body before anything parses it, and write the HMAC-SHA256 as the header does: Service-Signature in lowercase hexadecimal, webhook-signature in base64.',
  differs: 'It does not verify',
  findings: {
    signatureFormat:
      'This is not a signature: it must be 64 characters from 0–9 and a–f. This one has other characters or another length.',
    standardFormat:
      'This is not a webhook-signature: each part must be v1, a comma and 44 characters of base64, or v1a, a comma and 88.',
    timestampFormat: 'webhook-timestamp must be whole seconds, such as 1767225600.',
    signatureUppercase:
      'The signature is in capitals. Compare it as lowercase hexadecimal; then it matches.',
    signatureSpaces: 'There is space around the signature. Without it, it matches.',
    secretFormat:
      'This is not an Atrium key: a secret begins with whsec_, a public key with whpk_, and then 44 characters of base64 follow.',
    publicKeyNeeded:
      'This signature (v1a) is made with a key pair: paste the public key, which begins with whpk_, instead of the secret.',
    secretNeeded:
      'This signature is an HMAC: paste the secret, which begins with whsec_. The public key verifies only a signature that begins with v1a.',
    secretSpaces: 'There is space or a line break around the secret. Without it, it matches.',
    secretDecoded:
      'The signature is made with the decoded secret. Service-Signature is keyed with the whole text, including whsec_; only webhook-signature uses the decoded bytes.',
    secretNotDecoded:
      'The signature is made with the secret as text. webhook-signature is keyed with the bytes that the part after whsec_ stands for in base64.',
    secretWithoutPrefix:
      'The signature is made with the secret without whsec_. The whole text is the key.',
    bodySpaces:
      'There is whitespace or a byte order mark around the body. Without it the signature matches.',
    bodyLineBreaks: 'The line breaks of the body were changed to CRLF. With LF it matches.',
    bodyReformatted:
      'The body was parsed and written again with other spaces. Written compactly it matches: pass on the raw bytes.',
    bodyNotJson: 'The body is not JSON, so it is not the whole body of a delivery.',
    wrong:
      'Secret and signature look right, but they do not belong to this body: it is the secret of another webhook, an old secret after a rotation, or the body was changed.',
    standardWrong:
      'Key and signature look right, but they do not belong to this body, webhook-id and webhook-timestamp: one of these three comes from another delivery or attempt, or was changed, or it is the key of another webhook or an old one.',
  },
};

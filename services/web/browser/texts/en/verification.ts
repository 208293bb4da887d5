export const verification = {
  title: 'Why does the signature not verify?',
  explanation:
    'Paste what your server received. Everything is computed in this page; nothing is sent anywhere.',
  body: 'Body',
  bodyHint: 'The raw body, exactly as it arrived',
  secret: 'Secret',
  signature: 'Service-Signature',
  signatureHint: 'The value of this header',
  submit: 'Check',
  showSecret: 'Show the secret',
  matches: 'It verifies: body, secret and signature belong together.',
  matchesHint:
    'If your server still refuses it, it does not see the same bytes: read the raw body before anything parses it, and compare with the lowercase hexadecimal HMAC-SHA256.',
  differs: 'It does not verify',
  findings: {
    signatureFormat:
      'This is not a signature: it must be 64 characters from 0–9 and a–f. This one has other characters or another length.',
    signatureUppercase:
      'The signature is in capitals. Compare it as lowercase hexadecimal; then it matches.',
    signatureSpaces: 'There is space around the signature. Without it, it matches.',
    secretFormat:
      'This is not an Atrium secret: it begins with whsec_ and then has 44 characters of base64.',
    secretSpaces: 'There is space or a line break around the secret. Without it, it matches.',
    secretDecoded:
      'The signature is made with the decoded secret. Service-Signature is keyed with the whole text, including whsec_; only webhook-signature uses the decoded bytes.',
    secretWithoutPrefix:
      'The signature is made with the secret without whsec_. The whole text is the key.',
    bodyTrailing: 'The body has space or a line break at its end. Without it, it matches.',
    bodyLineBreaks: 'The line breaks of the body were changed to CRLF. With LF it matches.',
    bodyReformatted:
      'The body was parsed and written again with other spaces. Written compactly it matches: pass on the raw bytes.',
    bodyNotJson: 'The body is not JSON, so it is not the whole body of a delivery.',
    wrong:
      'Secret and signature look right, but they do not belong to this body: it is the secret of another webhook, an old secret after a rotation, or the body was changed.',
  },
};

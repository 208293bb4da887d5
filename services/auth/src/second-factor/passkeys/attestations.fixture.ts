import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { Attestation, Made } from './authenticator.fixture.ts';

const ES256 = -7;

/** Self attestation (WebAuthn Level 3 section 8.2): the new passkey has signed it. */
export function selfAttestation({
  privateKey,
  authenticatorData,
  clientDataHash,
}: Made): Attestation {
  const signed = Buffer.concat([authenticatorData, clientDataHash]);
  const signature = sign('sha256', signed, privateKey);
  return { format: 'packed', statement: new Map().set('alg', ES256).set('sig', bytes(signature)) };
}

/** That of an Android key (section 8.4), whose authority the attacker is, with a revocation list at the URL. */
export function androidKeyAttestation(revocationListUrl: string) {
  return ({ publicKey, clientDataHash }: Made): Attestation => {
    const authority = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const root = certificate(authority.publicKey, authority.privateKey, []);
    const leaf = certificate(publicKey, authority.privateKey, [
      extension('2B06010401D679020111', keyDescription(clientDataHash)),
      extension('551D1F', distributionPoint(revocationListUrl)),
    ]);
    const statement = new Map()
      .set('alg', ES256)
      .set('sig', new Uint8Array(64))
      .set('x5c', [bytes(leaf), bytes(root)]);
    return { format: 'android-key', statement };
  };
}

// DER (X.690): a tag, a length, and the contents.
const SEQUENCE = 0x30;
const OCTET_STRING = 0x04;

function der(tag: number, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(content.length);
  return Buffer.concat([Buffer.from([tag, 0x82]), length, content]);
}

const hex = (digits: string) => Buffer.from(digits, 'hex');
const text = (tag: number, value: string) => der(tag, Buffer.from(value));
const bytes = (buffer: Buffer) => new Uint8Array(buffer);

/** X.509 version 3 (RFC 5280 section 4.1); everybody has the same name. */
function certificate(subject: KeyObject, issuer: KeyObject, extensions: Buffer[]): Buffer {
  const ecdsaWithSha256 = hex('300A06082A8648CE3D040302');
  const name = der(SEQUENCE, der(0x31, der(SEQUENCE, hex('0603550403'), text(0x0c, 'Anybody'))));
  const validity = der(SEQUENCE, text(0x17, '200101000000Z'), text(0x17, '491231235959Z'));
  const body = der(
    SEQUENCE,
    hex('A003020102'),
    hex('020101'),
    ecdsaWithSha256,
    name,
    validity,
    name,
    subject.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(SEQUENCE, ...extensions)),
  );
  const signature = der(0x03, hex('00'), sign('sha256', body, issuer));
  return der(SEQUENCE, body, ecdsaWithSha256, signature);
}

const extension = (oid: string, value: Buffer) =>
  der(SEQUENCE, der(0x06, hex(oid)), der(OCTET_STRING, value));

/** What Android's key store says of a key, with empty lists of what it enforces. */
const keyDescription = (challenge: Buffer) =>
  der(
    SEQUENCE,
    hex('0201030A01000201030A0100'),
    der(OCTET_STRING, challenge),
    der(OCTET_STRING),
    der(SEQUENCE),
    der(SEQUENCE),
  );

const distributionPoint = (url: string) =>
  der(SEQUENCE, der(SEQUENCE, der(0xa0, der(0xa0, text(0x86, url)))));

/** DSSE: what is signed, and the envelope around it. One spelling only: an envelope that reads alike but differs by a byte is refused. */
import { type KeyObject, sign, verify } from 'node:crypto';
import { keyId } from './keys.ts';

export const payloadType = 'application/vnd.in-toto+json';

export interface Envelope {
  readonly payload: Uint8Array;
  readonly keyid: string;
  readonly signature: Uint8Array;
}

/** The bytes that are signed: type and payload, each with its length in front. */
export function preAuthenticated(payload: Uint8Array, type = payloadType): Buffer {
  return Buffer.concat([
    Buffer.from(`DSSEv1 ${Buffer.byteLength(type)} ${type} ${payload.length} `, 'utf8'),
    Buffer.from(payload.buffer, payload.byteOffset, payload.length),
  ]);
}

export function signed(payload: Uint8Array, privateKey: KeyObject, publicKey: KeyObject, type = payloadType): string {
  const signature = sign(undefined, preAuthenticated(payload, type), privateKey);
  return envelopeText({ payload, keyid: keyId(publicKey), signature }, type);
}

export const isSignedBy = ({ payload, signature }: Envelope, publicKey: KeyObject, type = payloadType): boolean =>
  verify(undefined, preAuthenticated(payload, type), publicKey, signature);

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

export const envelopeText = ({ payload, keyid, signature }: Envelope, type = payloadType): string =>
  `${JSON.stringify(
    { payloadType: type, payload: base64(payload), signatures: [{ keyid, sig: base64(signature) }] },
    undefined,
    2,
  )}\n`;

/** Undefined if it is no envelope of Touchstone, or not formatted as Touchstone formats it. */
export function envelopeFrom(text: string, type = payloadType): Envelope | undefined {
  try {
    const { payload, signatures } = JSON.parse(text) as {
      payload: string;
      signatures: { keyid: string; sig: string }[];
    };
    const [{ keyid, sig }] = signatures as [{ keyid: string; sig: string }];
    const envelope = {
      payload: Buffer.from(payload, 'base64'),
      keyid: String(keyid),
      signature: Buffer.from(sig, 'base64'),
    };
    // Base64 and JSON can be written in many ways. Whatever was signed was written in this one.
    return envelopeText(envelope, type) === text ? envelope : undefined;
  } catch {
    return undefined;
  }
}

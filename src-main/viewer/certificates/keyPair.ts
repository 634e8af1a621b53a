/** Keys of the certificate authority and validity periods of certificates. */
import type { KeyObject } from 'node:crypto'

/** Curve of all keys: every browser supports it. */
export const curve = 'P-256'
/** Days that the certificate of the certificate authority is valid; it is renewed from the same key before it ends. */
export const certificateAuthorityDays = 3_650
/** Days that a host's certificate is valid. Apple and Chromium accept at most 398 (CA/Browser Forum, Ballot SC31). */
export const leafDays = 397

/** A key of the certificate authority, or of all hosts. */
export interface KeyPair {
  privateKey: KeyObject
  publicKey: KeyObject
}

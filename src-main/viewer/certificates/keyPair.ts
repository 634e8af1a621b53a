/** Keys of the certificate authority and validity periods of certificates. */
import type { KeyObject } from 'node:crypto'

export const curve = 'P-256'
export const certificateAuthorityDays = 3_650
/** Days that a host's certificate is valid. Apple and Chromium accept at most 398 (CA/Browser Forum, Ballot SC31). */
export const leafDays = 397

export interface KeyPair {
  privateKey: KeyObject
  publicKey: KeyObject
}

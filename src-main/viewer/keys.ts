/** What the keys of an archive's authority are, and how long their certificates hold: known to whoever keeps them and to
 *  whoever makes certificates of them. */
import type { webcrypto } from 'node:crypto'

export const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
export const authorityDays = 3_650
/** Apple's and Chromium's rule for leaves (CA/Browser Forum, Ballot SC31): 398 days at most. */
export const leafDays = 397

export interface CryptoKeyPair {
  privateKey: webcrypto.CryptoKey
  publicKey: webcrypto.CryptoKey
}

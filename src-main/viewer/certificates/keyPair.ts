/** What the keys of an archive's authority are, and how long their certificates hold: known to whoever keeps them and to
 *  whoever makes certificates of them. */
import type { KeyObject } from 'node:crypto'

export const curve = 'P-256'
export const certificateAuthorityDays = 3_650
/** Apple's and Chromium's rule for leaves (CA/Browser Forum, Ballot SC31): 398 days at most. */
export const leafDays = 397

export interface KeyPair {
  privateKey: KeyObject
  publicKey: KeyObject
}

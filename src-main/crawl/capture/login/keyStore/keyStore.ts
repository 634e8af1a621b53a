/** Storage of secrets. An entry has an opaque name and a secret in printable ASCII. The kinds are the key stores of the
 *  operating systems, and files where there is none; `keyStore.test.ts` tests them all against the same contract. */
import type { KeyStoreKind, KeptIn } from '../../../../contract/services/login.ts'

/** A store of secrets. Every method except `answers` rejects with `KeyStoreFault` if the store refuses or does not answer. */
export interface KeyStore {
  readonly kind: KeyStoreKind
  /** Whether the store is available now. Does not reject. */
  answers(): Promise<boolean>
  put(entry: string, secret: string): Promise<void>
  /** Reads a secret; undefined if there is no such entry. */
  get(entry: string): Promise<string | undefined>
  /** Removes an entry; no effect if there is none. */
  remove(entry: string): Promise<void>
}

/** A key store refused or did not answer; the message is for the user. */
export class KeyStoreFault extends Error {
  constructor(text: string, options?: ErrorOptions) {
    super(text, options)
    this.name = 'KeyStoreFault'
  }
}

/** Describes to the user where a credential is kept. */
export function keptIn(kind: KeyStoreKind): KeptIn {
  return { kind, ...places[kind] }
}

const places: Record<KeyStoreKind, Omit<KeptIn, 'kind'>> = {
  secretTool: { text: 'In the keyring of this account (Secret Service).', isProtected: true },
  keychain: { text: 'In the keychain of this account.', isProtected: true },
  dataProtection: {
    text: 'In a file of the archive that only this Windows account can decrypt (Data Protection).',
    isProtected: true,
  },
  sealedFile: {
    text: 'In a file of the archive, encrypted with a key that the operating system keeps for this account.',
    isProtected: true,
  },
  plainFile: {
    text: 'In the file credentials.json of the archive, not encrypted: this system offers no key store. Only this account may read the file; whoever reads this account’s files, or a backup of them, reads the password.',
    isProtected: false,
  },
}

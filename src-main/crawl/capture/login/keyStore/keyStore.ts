/** Where secrets lie: an entry has a name that means nothing and a secret of printable ASCII. The kinds are the key stores of
 *  the operating systems, and files where there is none; `keyStore.test.ts` holds them to the same promises. */
import type { KeyStoreKind, KeptIn } from '../../../../contract/services/login.ts'

/** Every method rejects with `KeyStoreFault` when the store refuses or does not answer. */
export interface KeyStore {
  readonly kind: KeyStoreKind
  /** Whether it is there and answers now. Does not reject. */
  answers(): Promise<boolean>
  put(entry: string, secret: string): Promise<void>
  /** Undefined for an entry that it does not have. */
  get(entry: string): Promise<string | undefined>
  /** Of no effect on what is not there. */
  remove(entry: string): Promise<void>
}

export class KeyStoreFault extends Error {
  constructor(text: string, options?: ErrorOptions) {
    super(text, options)
    this.name = 'KeyStoreFault'
  }
}

/** What a person is told of where a credential is kept. */
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

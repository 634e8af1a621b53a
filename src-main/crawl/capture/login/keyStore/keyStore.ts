/** Storage of secrets. An entry has an opaque name and a secret in printable ASCII. The kinds are the key stores of the
 *  operating systems, and files where there is none; `keyStore.test.ts` tests them all against the same contract. */
import { message, type Message } from '../../../../contract/words/message.ts'
import { textOf } from '../../../../contract/words/render.ts'
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

/** A key store refused or did not answer. */
export class KeyStoreFault extends Error {
  /** The reason for the user, as the end of a sentence; `Error.message` is the same in English. */
  readonly userMessage: Message
  constructor(userMessage: Message, options?: ErrorOptions) {
    super(textOf(userMessage), options)
    this.name = 'KeyStoreFault'
    this.userMessage = userMessage
  }
}

/** Describes to the user where a credential is kept. Every kind but the plain file encrypts it. */
export function keptIn(kind: KeyStoreKind): KeptIn {
  return { kind, message: message(`keyStore.${kind}`), isProtected: kind !== 'plainFile' }
}

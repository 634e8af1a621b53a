/** The key that credentials are sealed with where Electron's safeStorage is: 32 bytes, encrypted by the operating system for
 *  this account, in a file next to the window's state. The engine is another process, where safeStorage is not; it gets the
 *  key through its environment, which other accounts cannot read, never as a word of its command. */
import { randomBytes } from 'node:crypto'

/** What is used of Electron's. */
export interface SafeStorage {
  isEncryptionAvailable(): boolean
  encryptString(text: string): Buffer
  decryptString(encrypted: Buffer): string
  getSelectedStorageBackend?(): string
}

export interface KeyFile {
  /** Undefined when there is none. */
  read(): Buffer | undefined
  /** For this account alone. */
  write(bytes: Buffer): void
}

const keyBytes = 32

/** Name of the variable of the environment. */
export const sealingKeyVariable = 'LOUPE_SEALING_KEY'

/** Base64. Undefined where the system keeps nothing for us, or what it kept is another account's: credentials then go to
 *  the next best key store. */
export function sealingKeyFrom(storage: SafeStorage, file: KeyFile): string | undefined {
  // Without a keyring Electron encrypts with a key that stands in its own source: that protects nothing.
  if (!storage.isEncryptionAvailable() || storage.getSelectedStorageBackend?.() === 'basic_text') return undefined
  const kept = file.read()
  if (kept) return opened(storage, kept)
  const key = randomBytes(keyBytes).toString('base64')
  file.write(storage.encryptString(key))
  return key
}

function opened(storage: SafeStorage, kept: Buffer): string | undefined {
  try {
    const key = storage.decryptString(kept)
    return Buffer.from(key, 'base64').length === keyBytes ? key : undefined
  } catch (error) {
    // Electron gives no reason: the keyring was replaced, or the file came from another machine.
    if (error instanceof Error) return undefined
    throw error
  }
}

/**
 * The key that seals credentials where Electron's safeStorage is available: 32 bytes, encrypted by the operating system for this account,
 * in a file next to the window's state. The engine runs in another process without safeStorage; it gets the key through its environment,
 * which other accounts cannot read, never as an argument.
 */
import { randomBytes } from 'node:crypto'

/** The part of Electron's safeStorage that is used. */
export interface SafeStorage {
  isEncryptionAvailable(): boolean
  encryptString(text: string): Buffer
  decryptString(encrypted: Buffer): string
  getSelectedStorageBackend?(): string
}

/** The file with the encrypted key. */
export interface KeyFile {
  /** Undefined when there is no key file. */
  read(): Buffer | undefined
  /** Writes a file that only this account can read. */
  write(bytes: Buffer): void
}

/** Length of the key. */
const keyBytes = 32

/** Name of the environment variable. */
export const sealingKeyVariable = 'LOUPE_SEALING_KEY'

/**
 * Returns the key in base64. Undefined where the system stores nothing for this account, or the stored key belongs to another: credentials
 * then use the next best key store.
 */
export function sealingKeyFrom(storage: SafeStorage, file: KeyFile): string | undefined {
  // Without a keyring Electron encrypts with a key from its own source code, which protects nothing.
  if (!storage.isEncryptionAvailable() || storage.getSelectedStorageBackend?.() === 'basic_text') return undefined
  const kept = file.read()
  if (kept) return opened(storage, kept)
  const key = randomBytes(keyBytes).toString('base64')
  file.write(storage.encryptString(key))
  return key
}

/** Decrypts a stored key; undefined when it was encrypted by another account, or is damaged. */
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

/** When a sealing key is available, and that it stays the same. */
import { expect, test } from 'vitest'
import { sealingKeyFrom, type KeyFile, type SafeStorage } from './sealingKey.ts'

function fileOf(bytes?: Buffer): KeyFile & { bytes: Buffer | undefined } {
  const file = { bytes, read: () => file.bytes, write: (written: Buffer) => void (file.bytes = written) }
  return file
}

const turned = (bytes: Buffer) => Buffer.from(bytes).reverse()
const storage: SafeStorage = {
  isEncryptionAvailable: () => true,
  encryptString: (text) => turned(Buffer.from(text)),
  decryptString: (encrypted) => turned(encrypted).toString(),
  getSelectedStorageBackend: () => 'gnome_libsecret',
}

test('a key is created once, stored encrypted, and read back', () => {
  const file = fileOf()
  const key = sealingKeyFrom(storage, file)
  expect(Buffer.from(key ?? '', 'base64')).toHaveLength(32)
  expect(file.bytes?.toString()).not.toContain(key)
  expect(sealingKeyFrom(storage, file)).toBe(key)
})

const refusing = () => {
  throw new Error('Error while decrypting the ciphertext provided to safeStorage.decryptString.')
}
test.each<[what: string, storage: SafeStorage, bytes: Buffer | undefined]>([
  ['no encryption', { ...storage, isEncryptionAvailable: () => false }, undefined],
  ['a hard-coded key', { ...storage, getSelectedStorageBackend: () => 'basic_text' }, undefined],
  ['a file of another account', { ...storage, decryptString: refusing }, Buffer.from('x')],
  ['a file that holds no key', storage, Buffer.from('x')],
])('%s: no key, and the file is unchanged', (_what, given, bytes) => {
  const file = fileOf(bytes)
  expect(sealingKeyFrom(given, file)).toBeUndefined()
  expect(file.bytes).toBe(bytes)
})

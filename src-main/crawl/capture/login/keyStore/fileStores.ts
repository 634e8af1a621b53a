/** Key stores that are a file of the archive with mode 0600: encrypted with the means that the system offers, or plain if it
 *  offers none. On a file system without modes, the mode does not protect the file. */
import { message } from '../../../../contract/words/message.ts'
import { diskMessage } from '../../../../files/disk/diskFaults.ts'
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { oneAtATime } from '../../../../contract/calls/oneAtATime.ts'
import { ownFileMode } from '../../../../world/permissions.ts'
import { DiskFault, type Disk, type Programs } from '../../../../world/world.ts'
import { KeyStoreFault, type KeyStore } from './keyStore.ts'
import { dataProtection } from './programStores.ts'

/** Limit on the file that is read. A credential takes some hundred bytes, so a larger file was not written by Loupe. */
const fileBytesMax = 4_000_000

/** How secrets are encoded in a file. */
interface Turning {
  kind: KeyStore['kind']
  seal(secret: string): Promise<string>
  open(sealed: string): Promise<string>
  answers(): Promise<boolean>
}

/** Location of the file of a key store. */
export interface FilePlace {
  disk: Disk
  /** The archive's folder. */
  folder: string
}

/** A file that is not encrypted; always available. */
export function plainFile(place: FilePlace): KeyStore {
  const asIs = async (text: string) => text
  return fileStore(place, 'credentials.json', { kind: 'plainFile', seal: asIs, open: asIs, answers: async () => true })
}

/** A file encrypted by the Data Protection of Windows. */
export function dataProtectionFile(place: FilePlace, programs: Programs): KeyStore {
  return fileStore(place, 'credentials.protected.json', { kind: 'dataProtection', ...dataProtection(programs) })
}

/** A file encrypted with AES-256-GCM (NIST SP 800-38D): nonce, tag and ciphertext of each secret, in base64. `key` is 32 bytes
 *  that the shell read from the system's own storage (Electron's safeStorage). */
export function sealedFile(place: FilePlace, key: Uint8Array): KeyStore {
  const nonceBytes = 12
  const tagBytes = 16
  return fileStore(place, 'credentials.sealed.json', {
    kind: 'sealedFile',
    answers: async () => true,
    async seal(secret) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', key, nonce)
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64')
    },
    async open(sealed) {
      const bytes = Buffer.from(sealed, 'base64')
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes))
      decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
      try {
        return decipher.update(bytes.subarray(nonceBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8')
      } catch (cause) {
        throw new KeyStoreFault(message('keyStore.otherKey'), { cause })
      }
    },
  })
}

function fileStore({ disk, folder }: FilePlace, name: string, turning: Turning): KeyStore {
  const path = join(folder, name)
  /** Changes run one at a time, since each writes the whole file. */
  const inTurn = oneAtATime()

  function change(act: (entries: Map<string, string>) => Promise<boolean>): Promise<void> {
    return inTurn(async () => {
      const entries = await read()
      if (!(await act(entries))) return
      const text = `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`
      await asFault(disk.write(path, Buffer.from(text), ownFileMode))
    })
  }

  async function read(): Promise<Map<string, string>> {
    if (!(await asFault(disk.stat(path)))) return new Map()
    const text = Buffer.from(await asFault(disk.read(path, fileBytesMax))).toString('utf8')
    try {
      return new Map(Object.entries(JSON.parse(text) as Record<string, string>))
    } catch (cause) {
      throw new KeyStoreFault(message('keyStore.damaged', { path }), { cause })
    }
  }

  return {
    kind: turning.kind,
    answers: turning.answers,
    put: (entry, secret) =>
      change(async (entries) => {
        entries.set(entry, await turning.seal(secret))
        return true
      }),
    async get(entry) {
      const sealed = (await read()).get(entry)
      return sealed === undefined ? undefined : turning.open(sealed)
    },
    remove: (entry) => change(async (entries) => entries.delete(entry)),
  }
}

async function asFault<T>(act: Promise<T>): Promise<T> {
  try {
    return await act
  } catch (error) {
    if (error instanceof DiskFault) throw new KeyStoreFault(diskMessage(error), { cause: error })
    throw error
  }
}

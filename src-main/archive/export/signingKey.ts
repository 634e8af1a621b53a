/** The key with which this archive signs WACZ packages: created at its first use, stored next to the database, and readable only for
 *  accounts that may open the archive. If it is lost, a new one is created; earlier signatures stay valid. */
import { join } from 'node:path'
import { Fault } from '../../contract/calls/faults.ts'
import { message } from '../../contract/words/message.ts'
import { newSigningKey, publicKeyOf, type WaczSigningKey } from '../../formats/wacz/signature.ts'
import { oneAtATime } from '../../contract/calls/oneAtATime.ts'
import type { Disk } from '../../world/world.ts'
import { undefinedWhenAbsent } from '../files/undefinedWhen.ts'

const keyName = 'wacz-signing-key.pem'
/** Maximum size of the key file. A P-384 key has 306 bytes; a much larger file is not a key. */
const keyBytesMax = 10_000

/** Returns a function that gives the key. Its calls run one after the other, so that only one first key is created. */
export function signingKeys(disk: Disk, archiveFolder: string): () => Promise<WaczSigningKey> {
  const inTurn = oneAtATime()
  return () => inTurn(() => signingKey(disk, archiveFolder))
}

/** Reads or creates the key. Throws `Fault` damaged when the file is not a valid key; the file is kept, since the user may be able to
 *  repair it. */
async function signingKey(disk: Disk, archiveFolder: string): Promise<WaczSigningKey> {
  const path = join(archiveFolder, keyName)
  const pem = await disk.read(path, keyBytesMax).catch(undefinedWhenAbsent)
  if (pem) return checked({ privateKey: Buffer.from(pem).toString('utf8') }, path)
  const key = newSigningKey()
  await disk.write(path, Buffer.from(key.privateKey), 'closed')
  return key
}

function checked(key: WaczSigningKey, path: string): WaczSigningKey {
  try {
    publicKeyOf(key)
    return key
  } catch (cause) {
    throw new Fault('damaged', message('export.key.damaged', { path }), { cause })
  }
}

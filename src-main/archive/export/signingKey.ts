/** The key with which this archive signs the packages it writes: made at its first use, kept next to the database, and
 *  readable only for accounts that may open the archive. When it is lost, a new one is made; earlier signatures stay valid. */
import { join } from 'node:path'
import { Fault } from '../../contract/calls/faults.ts'
import { newSigningKey, publicKeyOf, type WaczSigningKey } from '../../formats/wacz/signature.ts'
import type { Disk } from '../../world/world.ts'
import { undefinedWhenAbsent } from '../files/undefinedWhen.ts'

const keyName = 'wacz-signing-key.pem'
/** A key of P-384 has 306 bytes; what is much longer is something else. */
const keyBytesMax = 10_000

/** Throws `Fault` damaged when what lies there is no key: it may be one that somebody can mend, so it stays. */
export async function signingKey(disk: Disk, archiveFolder: string): Promise<WaczSigningKey> {
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
    const advice = 'put the right one there, or move it away and have a new one made'
    throw new Fault('damaged', `${path} is no key that a package can be signed with: ${advice}.`, { cause })
  }
}

/** Damages the files of a replica outside of Loupe, in its folder. */
import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Flips one bit in the middle of a WARC file of the replica, which a check of lengths alone would not detect. Returns the file's
 *  name. */
export async function flipOneBit(replica: string): Promise<string> {
  const name = (await readdir(replica)).find((entry) => entry.endsWith('.warc.gz'))
  if (name === undefined) throw new Error(`there is no WARC file in ${replica}`)
  await flipOneBitOf(join(replica, name))
  return name
}

/** Flips one bit in the middle of this file. */
export async function flipOneBitOf(path: string): Promise<void> {
  const file = await open(path, 'r+')
  const position = Math.floor((await file.stat()).size / 2)
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, position)
  await file.write(Buffer.from([(buffer[0] ?? 0) ^ 1]), 0, 1, position)
  await file.close()
}

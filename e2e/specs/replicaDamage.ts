/** What happens to a replica behind Loupe's back, done to its folder. */
import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** One bit of a WARC file in the replica, in its middle: a check that looks at lengths only would not see it. Gives the
 *  file's name. */
export async function flipOneBit(replica: string): Promise<string> {
  const name = (await readdir(replica)).find((entry) => entry.endsWith('.warc.gz'))
  if (name === undefined) throw new Error(`there is no WARC file in ${replica}`)
  await flipOneBitOf(join(replica, name))
  return name
}

/** The same of this file. */
export async function flipOneBitOf(path: string): Promise<void> {
  const file = await open(path, 'r+')
  const position = Math.floor((await file.stat()).size / 2)
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, position)
  await file.write(Buffer.from([(buffer[0] ?? 0) ^ 1]), 0, 1, position)
  await file.close()
}

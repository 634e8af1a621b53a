/** Built-in batch module: the SHA-256 of every file in the format of coreutils' sha256sum, so that `sha256sum -c` can check it in a
 *  replica's folder. */
import { createHash } from 'node:crypto'
import type { BatchContext } from '../batchModule.ts'
import type { BatchFile } from '../batchFile.ts'

export async function processFile(file: BatchFile, context: BatchContext): Promise<void> {
  const running = createHash('sha256')
  for await (const bytes of file.read()) running.update(bytes)
  const found = running.digest('hex')
  if (found !== file.sha256) throw new Error(`its checksum is ${found} instead of ${file.sha256}: run a check`)
  await context.write(`${found}  ${file.name}\n`)
}

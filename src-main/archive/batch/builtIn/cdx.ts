/** Built-in batch module: the CDXJ lines of every file, as `loupe index` creates them. */
import { canonicaliserVersionOfUrls, cdxjHeader } from '../../../formats/cdx/canonicaliser.ts'
import { cdxjLine } from '../../../formats/cdx/cdxj.ts'
import type { BatchContext } from '../batchModule.ts'
import type { BatchFile } from '../batchFile.ts'

export async function start(context: BatchContext): Promise<void> {
  await context.write(`${cdxjHeader(canonicaliserVersionOfUrls)}\n`)
}

export async function processFile(file: BatchFile, context: BatchContext): Promise<void> {
  for await (const capture of file.captures()) await context.write(`${cdxjLine(capture)}\n`)
}

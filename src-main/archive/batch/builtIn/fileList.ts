/** Built-in batch module: one line for every file, from the catalogue; the files themselves are not read. */
import type { BatchContext } from '../batchModule.ts'
import type { BatchFile } from '../batchFile.ts'

export async function start(context: BatchContext): Promise<void> {
  await context.write('name\tbytes\tjob\tkind\treplica\n')
}

export async function processFile(file: BatchFile, context: BatchContext): Promise<void> {
  await context.write(`${[file.name, file.bytes, file.job ?? '-', file.kind, file.replica].join('\t')}\n`)
}

/** Built-in batch module: the number of records of each type in every file, with totals in `finish`. */
import type { BatchContext } from '../batchModule.ts'
import type { BatchFile } from '../batchFile.ts'

const sums = new Map<string, number>()

export async function start(context: BatchContext): Promise<void> {
  await context.write('file\ttype\trecords\n')
}

export async function processFile(file: BatchFile, context: BatchContext): Promise<void> {
  const counts = new Map<string, number>()
  for await (const { type } of file.records()) counts.set(type, (counts.get(type) ?? 0) + 1)
  await write(file.name, counts, context)
  for (const [type, count] of counts) sums.set(type, (sums.get(type) ?? 0) + count)
}

export async function finish(context: BatchContext): Promise<void> {
  await write('all', sums, context)
}

async function write(name: string, counts: Map<string, number>, context: BatchContext): Promise<void> {
  for (const type of [...counts.keys()].toSorted()) await context.write(`${name}\t${type}\t${counts.get(type)}\n`)
}

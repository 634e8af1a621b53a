/** For tests of indexes: an archive with some files, and indexes over it. Both are closed when the test has finished. */
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openIndexes, type Indexes } from '../indexes.ts'
import { createArchive, type ArchiveFixture } from './archiveFixture.ts'

/** Creates an archive with these files. */
export async function archiveWith(...files: Parameters<ArchiveFixture['add']>[0][]): Promise<ArchiveFixture> {
  const made = await createArchive()
  onTestFinished(() => made[Symbol.asyncDispose]())
  for (const file of files) await made.add(file)
  return made
}

/** Opens the indexes of an archive, in its own world unless another is given. */
export async function indexesOver(
  made: ArchiveFixture,
  { world = made.world, bytesMax = Infinity } = {},
): Promise<Indexes> {
  const { folder, archive, tasks } = made
  const indexes = await openIndexes({
    ...{ folder: join(folder, 'indexes'), world, archive, tasks },
    bytesMax: () => bytesMax,
  })
  onTestFinished(() => indexes.close())
  return indexes
}

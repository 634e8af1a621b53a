/** Stores the quality files that were written, and settles what a kill left of others. */
import { join } from 'node:path'
import { jobInQualityName } from '../../archive/files/qualityNames.ts'
import { ArchiveFault } from '../../archive/files/archiveFault.ts'
import { joined } from '../../contract/words/joined.ts'
import { message, type Message } from '../../contract/words/message.ts'
import { moveAside, quarantineFolderFor } from '../../crawl/crawl.ts'
import type { WriteFile } from './newQualityFile.ts'
import { qualityFileStatements, type WaitingFile } from './qualityFiles.sql.ts'
import type { QualityFilesParts } from './qualityFilesParts.ts'
import { readQualityFile } from './readQualityFile.ts'
import { isOpenName } from './writeQualityFile.ts'

interface Parts extends Pick<QualityFilesParts, 'store' | 'world' | 'archive' | 'folder' | 'quarantineFolder'> {
  writeFile: WriteFile
  signal: AbortSignal
}

/** Returns the functions, which must not run at the same time. Both throw `ArchiveFault` or `DiskFault` for files that have to wait. */
export function qualityFileStoring({ store, world, archive, folder, quarantineFolder, writeFile, signal }: Parts) {
  const sql = qualityFileStatements(store)

  /** Removes what is incomplete, sets aside what this database does not know, and stores the rest. */
  async function settle(): Promise<void> {
    const { disk } = world
    if (await disk.stat(folder)) {
      const known = new Set(sql.list.all({}).map(({ name }) => name))
      for (const { name } of await disk.list(folder)) if (!known.has(name)) await settleUnknown(name)
    }
    await storeWaiting()
  }

  async function settleUnknown(name: string): Promise<void> {
    const { disk } = world
    // Removed files may be there again after a power cut.
    if (isOpenName(name) || archive.file(name)?.stored) return disk.remove(join(folder, name))
    const why = message('quarantine.older')
    const job = jobInQualityName(name) ?? null
    const aside = await quarantineFolderFor({ world, folder: quarantineFolder }, { job, why })
    await moveAside({ world }, { folder, name }, aside)
  }

  /** Stores every complete file. A name whose file a kill prevented is free again. */
  async function storeWaiting(): Promise<void> {
    const problems: Message[] = []
    for (const file of sql.list.all({})) {
      const isThere = (await world.disk.stat(join(folder, file.name))) !== undefined
      const problem = isThere ? await storeOne(file) : undefined
      if (!isThere) sql.remove.run({ name: file.name })
      if (problem !== undefined) problems.push(problem)
    }
    if (problems.length > 0) throw new ArchiveFault('unreachable', joined(problems))
  }

  async function storeOne(file: WaitingFile): Promise<Message | undefined> {
    const { name, job } = file
    const path = join(folder, name)
    try {
      const outcome = await archive.store({ path, name, kind: 'metadata', jobId: job }, { signal })
      if (outcome.state === 'failed')
        return joined(outcome.problems.map((each) => message('job.notStored', { name, ...each })))
    } catch (error) {
      if (!(error instanceof ArchiveFault)) throw error
      // A replica that was not compared yet may hold another file of this name, of a database that was lost.
      if (archive.file(name) !== undefined || !(await isInReplica(name))) return error.userMessage
      return storeOne(await writeAgain(file))
    }
    await world.disk.remove(path)
    sql.remove.run({ name })
    return undefined
  }

  async function isInReplica(name: string): Promise<boolean> {
    await archive.unregistered.compare(signal)
    return archive.unregistered.placesOf(name).length > 0
  }

  /** Writes a file again under another name: it contains its own. */
  async function writeAgain({ name, job }: WaitingFile): Promise<WaitingFile> {
    const path = join(folder, name)
    const read = await world.disk.openRead(path)
    try {
      const given = await writeFile(job, readQualityFile(read))
      sql.remove.run({ name })
      return { name: given, job }
    } finally {
      await read.close()
      await world.disk.remove(path)
    }
  }

  return { settle, storeWaiting }
}

/** Writes new quality files under names that nothing else has. They are not stored yet. */
import { join } from 'node:path'
import { qualityName } from '../../archive/files/qualityNames.ts'
import { nameStatements } from '../../crawl/crawl.ts'
import { qualityFileStatements } from './qualityFiles.sql.ts'
import type { QualityFilesParts } from './qualityFilesParts.ts'
import { writeQualityFile, type NewQualityFile } from './writeQualityFile.ts'

/** Writes a file about a job. Resolves with its name, whose row in the database says that it is to be stored. */
export type WriteFile = (
  job: number,
  records: NewQualityFile['records'],
  onWritten?: NewQualityFile['onWritten'],
) => Promise<string>

/** Returns the function that writes files, one at a time. */
export function qualityFileWriter({ store, world, jobs, folder, software }: QualityFilesParts): WriteFile {
  const sql = qualityFileStatements(store)
  const names = nameStatements(store)

  function chosenName(job: number): string {
    return store.transaction(() => {
      for (let number = 1; ; number += 1) {
        const name = qualityName(job, number)
        if (names.alike.get({ name }) !== undefined) continue
        sql.add.run({ name, job })
        return name
      }
    })
  }

  return async (job, records, onWritten) => {
    const { created } = jobs.summary(job)
    await world.disk.makeFolder(folder)
    const name = chosenName(job)
    try {
      const path = join(folder, name)
      await writeQualityFile(world, { path, name, job, jobCreated: created, software, records, onWritten })
    } catch (error) {
      sql.remove.run({ name })
      throw error
    }
    return name
  }
}

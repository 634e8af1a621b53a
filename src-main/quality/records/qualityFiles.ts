/** Quality files: WARC files in which Loupe keeps records about a job, next to the files of the job, so that they are stored, checked and
 *  exported with it. A file is written completely into `<archive>/quality`, then stored in every replica like any other file of the job, then
 *  removed from there. What a kill left is removed if it is incomplete, and stored otherwise. */
import { oneAtATime } from '../../contract/calls/oneAtATime.ts'
import { isQualityName } from '../../archive/files/qualityNames.ts'
import { qualityFileWriter } from './newQualityFile.ts'
import { qualityFileStatements } from './qualityFiles.sql.ts'
import type { QualityFilesParts } from './qualityFilesParts.ts'
import { readQualityFile, type FoundRecord, type RecordPlace, type WantedRecords } from './readQualityFile.ts'
import { qualityFileStoring } from './storeQualityFiles.ts'
import type { NewQualityFile } from './writeQualityFile.ts'

/** Which records of a job are read. */
export interface RecordsOfJob extends Pick<WantedRecords, 'wanted'> {
  /** Of these files; by default of the quality files of the job. */
  names?: readonly string[]
  onPassed?: ((place: RecordPlace & { file: string }) => void) | undefined
}

/** The quality files of an archive. */
export interface QualityFiles {
  /** Writes records about a job into a new file and stores it. Resolves with the name of the file when it will survive a kill. If a replica
   *  cannot take it now, that is reported to `onProblem`, and it is stored at the next write or the next start. Files are written one after the
   *  other. Throws `Fault` notFound for a job that does not exist, `DiskFault`, and what `records` throws: then there is no file. */
  write(job: number, records: NewQualityFile['records'], onWritten?: NewQualityFile['onWritten']): Promise<string>
  /** Names of the quality files among the files of a job, oldest first. For an import, those that it brought. */
  names(job: number): string[]
  /** Names of other files of a job that have such records, because an export put them into the same file as captures. */
  mergedNames(job: number): string[]
  /** Yields the wanted records of a job in the order in which they were written. Files that no replica can give, and damaged records, are
   *  left out. */
  records(job: number, wanted?: RecordsOfJob): AsyncGenerator<FoundRecord & { file: string }>
  /** Whether a quality file of a job cannot be read now, because no replica gives it. */
  unreadable(job: number): Promise<boolean>
  close(): Promise<void>
}

/** Opens the files. Those that a kill left are settled once `ready` resolves; writes wait for that. */
export function openQualityFiles(parts: QualityFilesParts): QualityFiles {
  const { store, archive, isEngine, ready, onProblem } = parts
  const closed = new AbortController()
  const sql = qualityFileStatements(store)
  const writeFile = qualityFileWriter(parts)
  const { settle, storeWaiting } = qualityFileStoring({ ...parts, writeFile, signal: closed.signal })
  /** Two writes at once would choose the same name. */
  const inTurn = oneAtATime()
  if (isEngine) void inTurn(() => ready.then(() => reported(settle)))

  /** Reports faults of the outside world. */
  async function reported(act: () => Promise<void>): Promise<void> {
    if (closed.signal.aborted) return
    try {
      await act()
    } catch (error) {
      if (error !== closed.signal.reason) onProblem(error)
    }
  }

  async function write(...given: Parameters<QualityFiles['write']>): Promise<string> {
    closed.signal.throwIfAborted()
    const name = await writeFile(...given)
    await reported(storeWaiting)
    return name
  }

  function namesOf(job: number): string[] {
    return sql.ofJob.all({ job }).flatMap(({ name }) => (isQualityName(name) ? [name] : []))
  }

  return {
    write: (...given) => inTurn(() => write(...given)),
    names: namesOf,
    mergedNames: (job) => sql.mergedOfJob.all({ job }).flatMap(({ name }) => (isQualityName(name) ? [] : [name])),
    async *records(job, { wanted, onPassed, names = namesOf(job) } = {}) {
      for (const name of names) {
        const place = onPassed && ((at: RecordPlace) => onPassed({ ...at, file: name }))
        const opened = await archive.openFile(name)
        if (opened === undefined) continue
        try {
          for await (const record of readQualityFile(opened.file, { wanted, onPassed: place }))
            yield { ...record, file: name }
        } finally {
          await opened.file.close()
        }
      }
    },
    async unreadable(job) {
      const reasons = await Promise.all(namesOf(job).map((name) => archive.whyNotGiven(name)))
      return reasons.some((reason) => reason !== undefined)
    },
    async close() {
      closed.abort()
      await inTurn(() => undefined)
    },
  }
}

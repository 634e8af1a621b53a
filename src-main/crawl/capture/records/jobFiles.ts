/** The files of a job as the other parts of the crawl see them: which there are, which metadata file describes them, and whether
 *  every replica has them. `harvestFile.ts` writes the open one. */
import type { Store } from '../../../storage/storage.ts'
import { fileStatements } from './harvestFile.sql.ts'

/** A file of a job that is no longer written to: CLOSED until every replica has it, then STORED. */
export interface ClosedFile {
  id: number
  name: string
  state: 'CLOSED' | 'STORED'
  bytes: number
}

/** Every closed file of the job, oldest first. */
export function closedFiles(store: Store, job: number): ClosedFile[] {
  return fileStatements(store)
    .ofJob.all({ job })
    .flatMap(({ id, name, state, committedBytes: bytes }) => (state === 'OPEN' ? [] : [{ id, name, state, bytes }]))
}

/** Names of the closed files that the metadata file `metadataName` describes: all that no earlier metadata file does. The
 *  assignment is recorded once, so a kill while the metadata file is being written does not change it. */
export function filesOfAccount(store: Store, job: number, metadataName: string): string[] {
  const sql = fileStatements(store)
  sql.giveAccount.run({ job, metadataName })
  return sql.ofAccount.all({ job, metadataName }).map(({ name }) => name)
}

/** Undoes the assignment of `filesOfAccount` for a metadata file that was never written. */
export function forgetAccount(store: Store, account: { job: number; metadataName: string }): void {
  fileStatements(store).forgetAccount.run(account)
}

/** SHA-256, in hexadecimal, of the bytes of the file when the process that began it closed it; null if the file was imported or its
 *  beginning was written by an earlier process. A file that was continued after a fault has other bytes. */
export function writtenDigest(store: Store, name: string): string | null {
  return fileStatements(store).digest.get({ name })?.sha256 ?? null
}

/** The job that writes or wrote a file of this name; undefined if there is none. */
export function jobOfFile(store: Store, name: string): number | undefined {
  return fileStatements(store).named.get({ name })?.job
}

/** Registers a complete, imported file that is already in the job's folder as a closed file of the job. */
export function adoptFile(store: Store, file: { job: number; name: string; bytes: number; records: number }): void {
  const sql = fileStatements(store)
  sql.adopt.run({ ...file, serial: sql.nextSerial.get({ job: file.job })?.serial ?? 1 })
}

/** Whether the job has a file that is still being written. */
export function hasOpenFile(store: Store, job: number): boolean {
  return fileStatements(store).open.get({ job }) !== undefined
}

/** Whether the job has a file, of any run, that is not yet in every replica. */
export function hasUnstored(store: Store, job: number): boolean {
  return fileStatements(store)
    .ofJob.all({ job })
    .some(({ state }) => state !== 'STORED')
}

/** Records that every replica has the file. */
export function markStored(store: Store, id: number): void {
  fileStatements(store).setState.run({ id, state: 'STORED' })
}

/** Follows every capture without content of its own to its original. The index alone answers for most of them; a revisit without a payload
 *  digest is read in its file. */
import type { Task } from '../../world/world.ts'
import { openComplete } from '../captures/manifest.ts'
import { withStore } from '../databases/withStore.ts'
import { hostsMax, unresolvedMax } from '../model/limits.ts'
import { eachReferring } from './eachReferring.ts'
import type { FileReferences, Ledger, LedgerInput, Saved } from './ledger.ts'
import { ledgerStatements, type OriginalRow, type ReferringRow } from './ledger.sql.ts'

export const task: Task<LedgerInput, Ledger> = ({ world, signal }, { database, copies, jobs }) =>
  withStore(openComplete(database), async (store) => {
    const sql = ledgerStatements(store)
    const sums = new Sums()
    const isWanted = jobs === undefined ? () => true : (job: number | null) => job !== null && jobs.includes(job)
    const wanted = { isWanted: (file: { job: number | null }) => isWanted(file.job), copies }
    for await (const { row, file, original } of eachReferring({ world, sql, signal }, wanted)) {
      const { url, timestampMs, payloadDigest: digest } = row
      const capture = { url, timestampMs, file: file.name, job: file.job }
      if ('why' in original) {
        sums.addUnresolved({ ...capture, why: original.why, contentFile: null })
        continue
      }
      const { name, job: fileJob } = original.file
      if (!original.isAvailable) sums.addUnresolved({ ...capture, why: 'unavailable', contentFile: name })
      else sums.add(row, original.row, file.job)
      const onlyHere = digest === '' || sql.inOtherFile.get({ digest, file: original.row.file }) === undefined
      sums.addReference(row, original.row, { file: name, fileJob, job: file.job, onlyHere })
    }
    return sums.ledger()
  })

/** Adds the captures up. */
class Sums {
  readonly #total: Saved = { captures: 0, bytes: 0 }
  readonly #byJob = new Map<number | null, Saved>()
  readonly #byHost = new Map<string, Saved>()
  readonly #byType = new Map<string, Saved>()
  readonly #references = new Map<string, FileReferences>()
  readonly #unresolved: Ledger['unresolved'] = []
  #unresolvedTotal = 0

  add({ url, length }: ReferringRow, original: OriginalRow, job: number | null): void {
    const bytes = savedBytes(original, length)
    for (const sum of [
      this.#total,
      sumOf(this.#byJob, job),
      sumOf(this.#byHost, URL.parse(url)?.host ?? ''),
      sumOf(this.#byType, original.mediaType),
    ]) {
      sum.captures += 1
      sum.bytes += bytes
    }
  }

  addReference(
    { length }: ReferringRow,
    original: OriginalRow,
    { onlyHere, ...of }: Pick<FileReferences, 'file' | 'fileJob' | 'job'> & { onlyHere: boolean },
  ): void {
    const key = `${of.job ?? ''} ${of.file}`
    const reference = this.#references.get(key) ?? { ...of, captures: 0, bytes: 0, onlyHere: 0 }
    reference.captures += 1
    reference.bytes += savedBytes(original, length)
    if (onlyHere) reference.onlyHere += 1
    this.#references.set(key, reference)
  }

  addUnresolved(one: Ledger['unresolved'][number]): void {
    this.#unresolvedTotal += 1
    if (this.#unresolved.length < unresolvedMax) this.#unresolved.push(one)
  }

  ledger(): Ledger {
    return {
      ...this.#total,
      byJob: [...this.#byJob].map(([job, saved]) => ({ job, ...saved })).toSorted(byBytes),
      byHost: [...this.#byHost]
        .map(([host, saved]) => ({ host, ...saved }))
        .toSorted(byBytes)
        .slice(0, hostsMax),
      byType: [...this.#byType].map(([mediaType, saved]) => ({ mediaType, ...saved })).toSorted(byBytes),
      references: [...this.#references.values()].toSorted((a, b) => b.captures - a.captures),
      unresolved: this.#unresolved,
      unresolvedTotal: this.#unresolvedTotal,
    }
  }
}

function savedBytes(original: OriginalRow, length: number): number {
  return Math.max(0, original.length - length)
}

function sumOf<Key>(sums: Map<Key, Saved>, key: Key): Saved {
  const sum = sums.get(key) ?? { captures: 0, bytes: 0 }
  sums.set(key, sum)
  return sum
}

function byBytes(one: Saved, other: Saved): number {
  return other.bytes - one.bytes || other.captures - one.captures
}

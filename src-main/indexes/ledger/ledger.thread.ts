/** Follows every capture without content of its own to its original. The index alone answers for most of them; a revisit without a payload
 *  digest is read in its file. */
import { surt } from '../../formats/cdx/surt.ts'
import { parseTimestamp } from '../../formats/cdx/timestamp.ts'
import { readRecordAt } from '../../formats/records/readRecords.ts'
import { recordField } from '../../formats/records/record.ts'
import { openDerived } from '../../storage/storage.ts'
import { DiskFault, type Task, type World } from '../../world/world.ts'
import { captureSchema } from '../captures/captureIndex.sql.ts'
import { withStore } from '../databases/withStore.ts'
import { hostsMax, ledgerRowsAtOnce, unresolvedMax } from '../model/limits.ts'
import type { FileReferences, Ledger, LedgerInput, Saved, UnresolvedWhy } from './ledger.ts'
import { firstPlace, ledgerStatements, type OriginalRow, type ReferringRow } from './ledger.sql.ts'

export const task: Task<LedgerInput, Ledger> = ({ world, signal }, { database, copies, jobs }) =>
  withStore(openDerived(database, captureSchema), async (store) => {
    const sql = ledgerStatements(store)
    const files = new Map(sql.files.all({}).map((file) => [file.id, file]))
    const isWanted = jobs === undefined ? () => true : (job: number | null) => job !== null && jobs.includes(job)
    const sums = new Sums()
    for (let after = firstPlace; ;) {
      const rows = sql.referring.all({ ...after, limit: ledgerRowsAtOnce })
      for (const row of rows) {
        const file = files.get(row.file)
        if (file === undefined) throw new Error(`a capture is of file ${row.file}, which the index does not have`)
        if (!isWanted(file.job)) continue
        const original = await originalOf({ world, sql, copy: copies.get(file.name) }, row)
        const where = typeof original === 'string' ? undefined : files.get(original.file)
        const why = typeof original === 'string' ? original : copies.has(where?.name ?? '') ? undefined : 'unavailable'
        if (why !== undefined || typeof original === 'string' || where === undefined) {
          const { url, timestampMs } = row
          sums.addUnresolved({ url, timestampMs, file: file.name, job: file.job, why: why ?? 'absent' })
          continue
        }
        const { payloadDigest: digest } = row
        const onlyHere = digest === '' || sql.inOtherFile.get({ digest, file: original.file }) === undefined
        sums.add(row, original, { file: where.name, fileJob: where.job, job: file.job, onlyHere })
      }
      const last = rows.at(-1)
      if (last === undefined || rows.length < ledgerRowsAtOnce) break
      after = last
      await world.clock.sleep(0)
      signal.throwIfAborted()
    }
    return sums.ledger()
  })

interface Looking {
  world: World
  sql: ReturnType<typeof ledgerStatements>
  /** Path of a copy of the file with the capture. */
  copy: string | undefined
}

/** The capture with the content, or why there is none. */
async function originalOf({ world, sql, copy }: Looking, row: ReferringRow): Promise<OriginalRow | UnresolvedWhy> {
  if (row.recordType === 'duplicate') {
    const named = sql.namedByLog.get({ file: row.file, number: row.offset })
    const there = named && sql.atPlace.get({ key: surt(named.url), filename: named.filename, offset: named.offset })
    if (there) return there
  }
  const { key, payloadDigest: digest, timestampMs: atMs } = row
  if (digest !== '') return sql.ofPayloadHere.get({ key, digest, atMs }) ?? sql.ofPayload.get({ digest }) ?? 'absent'
  if (row.recordType === 'duplicate') return 'unnamed'
  return originalOfRecord({ world, sql, copy }, row)
}

/** The capture that the record of a revisit names by its URL and date. */
async function originalOfRecord(
  { world, sql, copy }: Looking,
  row: ReferringRow,
): Promise<OriginalRow | UnresolvedWhy> {
  if (copy === undefined) return 'unreadable'
  try {
    const file = await world.disk.openRead(copy)
    try {
      const record = await readRecordAt(file, row.offset, row.length === 0 ? Infinity : row.length)
      if (record === undefined) return 'unreadable'
      const atMs = parseTimestamp(recordField(record, 'warc-refers-to-date') ?? '')
      if (atMs === undefined) return 'unnamed'
      const key = surt(recordField(record, 'warc-refers-to-target-uri') ?? row.url)
      const fromMs = atMs - (atMs % 1_000)
      return sql.atMoment.get({ key, fromMs, toMs: fromMs + 999 }) ?? 'absent'
    } finally {
      await file.close()
    }
  } catch (error) {
    if (error instanceof DiskFault) return 'unreadable'
    throw error
  }
}

/** Adds the captures up. */
class Sums {
  readonly #total: Saved = { captures: 0, bytes: 0 }
  readonly #byJob = new Map<number | null, Saved>()
  readonly #byHost = new Map<string, Saved>()
  readonly #byType = new Map<string, Saved>()
  readonly #references = new Map<string, FileReferences>()
  readonly #unresolved: Ledger['unresolved'] = []
  #unresolvedTotal = 0

  add(
    { url, length }: ReferringRow,
    original: OriginalRow,
    { onlyHere, ...of }: Pick<FileReferences, 'file' | 'fileJob' | 'job'> & { onlyHere: boolean },
  ): void {
    const bytes = Math.max(0, original.length - length)
    for (const sum of [
      this.#total,
      sumOf(this.#byJob, of.job),
      sumOf(this.#byHost, URL.parse(url)?.host ?? ''),
      sumOf(this.#byType, original.mediaType),
    ]) {
      sum.captures += 1
      sum.bytes += bytes
    }
    const key = `${of.job ?? ''} ${of.file}`
    const reference = this.#references.get(key) ?? { ...of, captures: 0, bytes: 0, onlyHere: 0 }
    reference.captures += 1
    reference.bytes += bytes
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

function sumOf<Key>(sums: Map<Key, Saved>, key: Key): Saved {
  const sum = sums.get(key) ?? { captures: 0, bytes: 0 }
  sums.set(key, sum)
  return sum
}

function byBytes(one: Saved, other: Saved): number {
  return other.bytes - one.bytes || other.captures - one.captures
}

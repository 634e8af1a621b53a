/** Verdicts on pages of jobs. Each is in the database at once. They are written into a quality file of their job in batches: when a user says so, when
 *  many wait, when a job ends, and at the start. From there they are restored elsewhere. */
import { againIfAsked } from '../../contract/calls/againIfAsked.ts'
import { Fault } from '../../contract/calls/faults.ts'
import { oneAtATime } from '../../contract/calls/oneAtATime.ts'
import type { JudgedPages, PageVerdict, VerdictValue } from '../../contract/services/verdicts.ts'
import { message } from '../../contract/words/message.ts'
import type { Jobs } from '../../crawl/crawl.ts'
import type { Store } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'
import { unstoredVerdictsMax } from '../model/limits.ts'
import type { QualityFiles } from '../records/qualityFiles.ts'
import { recordReading } from '../records/recordReading.ts'
import { isVerdictUri, verdictIn, verdictRecord } from './verdictRecord.ts'
import { verdictStatements, type VerdictRow } from './verdicts.sql.ts'

interface Parts {
  store: Store
  world: Pick<World, 'clock'>
  jobs: Pick<Jobs, 'summary'>
  files: QualityFiles
  /** Takes a fault of a replica or of the disk that no caller waits for. */
  onProblem: (error: unknown) => void
}

/** A verdict that is given, or taken back with null. */
export interface GivenVerdict {
  job: number
  urls: readonly string[]
  verdict: VerdictValue | null
  note?: string | undefined
}

/** The verdicts of an archive. Calls throw `Fault` notFound for a job that does not exist. */
export interface Verdicts {
  list(asked: { job: number; verdict?: VerdictValue | undefined; offset: number; limit: number }): {
    rows: PageVerdict[]
    total: number
  }
  progress(job: number): JudgedPages
  /** Gives verdicts for the account of the author and returns their number. Throws `Fault` badInput for what is no URL. */
  set(given: GivenVerdict, author: string): number
  /** Writes what no quality file has. Resolves with the name of the file, null if there was nothing. */
  store(job: number): Promise<string | null>
  /** Restores verdicts from quality files that have not been read, and stores those that wait. Calls share the work; faults are reported. */
  settle(): Promise<void>
  /** Resolves when what was begun has ended. */
  close(): Promise<void>
}

/** Opens the verdicts. */
export function openVerdicts(parts: Parts): Verdicts {
  const { store, world, jobs, files, onProblem } = parts
  const sql = verdictStatements(store)
  const restore = recordReading(parts, {
    ...{ kind: 'verdict', wanted: isVerdictUri, readsMerged: true },
    read(record, job) {
      const found = verdictIn(record)
      if (found) sql.put.run({ ...found, job, recordedMs: found.judgedMs })
      return true
    },
  })
  /** Two at once would record the same change. */
  const inTurn = oneAtATime()

  async function record(job: number): Promise<string | null> {
    const rows = sql.unrecorded.all({ job })
    if (rows.length === 0) return null
    const file = await files.write(job, rows.map(verdictRecord))
    store.transaction(() => rows.forEach(({ url, judgedMs }) => sql.noteRecorded.run({ job, url, judgedMs })))
    return file
  }

  async function settleAll(): Promise<void> {
    try {
      await restore()
      for (const { job } of sql.jobsUnrecorded.all({})) await record(job)
    } catch (error) {
      onProblem(error)
    }
  }

  function put({ job, urls, verdict, note }: GivenVerdict, author: string): void {
    for (const url of new Set(urls)) {
      const earlier = sql.one.get({ job, url })
      if (verdict === null && (earlier?.verdict ?? null) === null) continue
      // Records are in the order of their times, also when the clock was set back.
      const judgedMs = Math.max(world.clock.now(), (earlier?.judgedMs ?? 0) + 1)
      const kept = verdict === null ? '' : (note ?? earlier?.note ?? '')
      sql.put.run({ job, url, verdict, note: kept, author, judgedMs, recordedMs: null })
    }
  }

  return {
    list({ job, verdict, offset, limit }) {
      jobs.summary(job)
      const filter = { job, verdict: verdict ?? null }
      const rows = sql.list.all({ ...filter, offset, limit }).flatMap(verdictOf)
      return { rows, total: sql.total.get(filter)?.total ?? 0 }
    },
    progress(job) {
      jobs.summary(job)
      const counts = sql.counts.get({ job }) ?? { good: 0, minor: 0, bad: 0, unusable: 0, unstored: 0 }
      const { audited, judged } = sql.audited.get({ job }) ?? { audited: null, judged: 0 }
      const ofJob = sql.one.get({ job, url: '' })
      return { ...counts, audited, auditedJudged: judged, ofJob: (ofJob && verdictOf(ofJob)[0]) ?? null }
    },
    set(given, author) {
      jobs.summary(given.job)
      for (const url of given.urls)
        if (url !== '' && !URL.canParse(url)) throw new Fault('badInput', message('verdict.url', { url }))
      store.transaction(() => put(given, author))
      const { unstored = 0 } = sql.counts.get({ job: given.job }) ?? {}
      if (unstored >= unstoredVerdictsMax) void inTurn(() => record(given.job)).catch(onProblem)
      return new Set(given.urls).size
    },
    async store(job) {
      jobs.summary(job)
      return inTurn(() => record(job))
    },
    settle: againIfAsked(() => inTurn(settleAll)),
    close: () => inTurn(() => undefined),
  }
}

/** Nothing for a verdict that was taken back. */
function verdictOf({ judgedMs, verdict, ...row }: VerdictRow): PageVerdict[] {
  return verdict === null ? [] : [{ ...row, verdict, judged: new Date(judgedMs).toISOString() }]
}

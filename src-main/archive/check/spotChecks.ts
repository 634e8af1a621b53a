/** Salted spot checks test whether the replicas really hold the bytes. For files chosen at random, each with a random salt, every
 *  replica computes the HMAC-SHA-256 (RFC 2104) of its current bytes with the salt as key. Stored checksums are of no use for this, so
 *  a store that only remembers checksums cannot answer. All answers must agree; if they do not, a checksum check and the vote show
 *  which copy is right. Salt and answers are kept, so that they can be computed again from the bytes. */
import type { SpotCheckSummary, SpotFinding } from '../../contract/services/archive.ts'
import type { Store } from '../../storage/storage.ts'
import { DiskFault, type World } from '../../world/world.ts'
import { ArchiveFault } from '../files/archiveFault.ts'
import { auditTrail } from '../audit/audit.ts'
import { checkLists } from './checkList.ts'
import { spotsAlarmingCountMax, type ArchiveLimits } from '../files/limits.ts'
import type { Beginner } from './preservation.sql.ts'
import { paceOf } from '../files/readThrough.ts'
import { replicaEvents } from '../copies/replicaEvents.ts'
import { sampleOf } from './sample.ts'
import { spotStatements, type SpotCheckRow, type SpotRow } from './spotChecks.sql.ts'
import { doubtful, isAlarming, spotVerdict, type Answer } from './spotVerdict.ts'
import { emitter } from '../../contract/calls/emitter.ts'
import { timeOf } from '../../contract/text/timeOf.ts'

/** The part of a replica that spot checks use. */
export interface SpotReplica {
  readonly name: string
  readonly kind: 'files' | 'checksums'
  problem(): Promise<string | undefined>
  /** HMAC of the current file under the salt; undefined when there is none. */
  checksum(file: string, options: SpotOptions): Promise<{ sha256: string } | undefined>
}

interface SpotOptions {
  salt: string
  signal: AbortSignal
  bytesPerSecondMax: number
}

export interface SpotChecksParts {
  replicas: readonly SpotReplica[]
  limits: ArchiveLimits
  store: Store
  world: World
}

export interface SpotOrder {
  /** Number of files, chosen at random. */
  files: number
  by: Beginner
  signal: AbortSignal
}

export interface SpotChecks {
  /** Runs a spot check, file by file. Rejects with the signal's reason when stopped; results so far are kept. */
  run(order: SpotOrder): Promise<SpotCheckSummary>
  last(): SpotCheckSummary | undefined
  /** Alarming findings whose copies have not been read since. */
  alarming(): SpotFinding[]
  /** Calls `listener` when a spot check begins and ends. Returns a function that removes the listener. */
  onChange(listener: () => void): () => void
}

export function openSpotChecks({ replicas, limits, store, world }: SpotChecksParts): SpotChecks {
  const statements = spotStatements(store)
  const trail = auditTrail(store)
  const events = replicaEvents(store)
  const lists = checkLists({ store, world, events, places: replicas })
  const changes = emitter()
  const tell = () => changes.emit()

  async function answerOf(
    replica: SpotReplica,
    file: { id: number; name: string },
    options: SpotOptions,
  ): Promise<Answer> {
    const { name } = replica
    if (!statements.holds.get({ file: file.id, replica: name }))
      return { replica: name, kind: 'notAsked', why: 'it never got the file' }
    if (replica.kind === 'checksums')
      return { replica: name, kind: 'notAsked', why: 'it holds checksums only, and cannot answer' }
    const away = await replica.problem()
    if (away !== undefined) return { replica: name, kind: 'away', why: away }
    try {
      const made = await replica.checksum(file.name, options)
      if (made) return { replica: name, kind: 'answered', hmac: made.sha256 }
      // A replica that became unavailable meanwhile has not lost the file.
      const gone = await replica.problem()
      if (gone !== undefined) return { replica: name, kind: 'away', why: gone }
      return { replica: name, kind: 'failed', why: 'the file is not there' }
    } catch (error) {
      if (!(error instanceof DiskFault) && !(error instanceof ArchiveFault)) throw error
      const gone = await replica.problem()
      return gone === undefined
        ? { replica: name, kind: 'failed', why: error.message }
        : { replica: name, kind: 'away', why: gone }
    }
  }

  async function ask(check: SpotCheckRow, file: { id: number; name: string }, order: SpotOrder): Promise<void> {
    const { signal } = order
    const bytesPerSecondMax = paceOf(limits, order.by)
    const salt = saltOf(world)
    const answers: Answer[] = []
    // Sequential, because two replicas may share a disk.
    for (const replica of replicas) answers.push(await answerOf(replica, file, { salt, signal, bytesPerSecondMax }))
    const verdict = spotVerdict(answers)
    const nowMs = world.clock.now()
    store.transaction(() => {
      const kept = { salt, verdict, answers: JSON.stringify(answers) }
      statements.addSpot.run({ check: check.id, file: file.id, nowMs, ...kept })
      for (const { replica, kind } of answers) {
        if (kind === 'notAsked' || kind === 'away') continue
        const findings = doubtful(answers).includes(replica) ? 1 : 0
        events.count({ replica, kind: 'spot', number: check.id }, { files: 1, findings }, nowMs)
      }
      if (!isAlarming(verdict)) return
      const became = { spotCheck: check.id, verdict, salt, answers }
      trail.append({ who: order.by, what: 'finding', subject: file.name, became }, nowMs)
    })
  }

  /** Chooses files at random among those stored in at least one replica. */
  async function chosenFiles({ files, signal }: SpotOrder): Promise<{ id: number; name: string }[]> {
    const ids: number[] = []
    const names = replicas.map(({ name }) => name)
    for await (const page of lists.candidates(null, names)) {
      signal.throwIfAborted()
      for (const { id } of page) ids.push(id)
    }
    return sampleOf(world.chance, ids, files).flatMap((id) => statements.name.get({ id }) ?? [])
  }

  /** Starts the event of every replica that can answer for some of these files. */
  function beginEvents({ id, begunBy }: SpotCheckRow, files: readonly { id: number }[], nowMs: number): void {
    for (const { name: replica, kind } of replicas) {
      if (kind === 'checksums') continue
      const filesTotal = files.filter((file) => statements.holds.get({ file: file.id, replica })).length
      if (filesTotal > 0) events.begin({ replica, kind: 'spot', number: id }, { begunBy, filesTotal }, nowMs)
    }
  }

  function summaryOf(check: SpotCheckRow): SpotCheckSummary {
    return {
      spotCheck: check.id,
      begunBy: check.begunBy,
      started: new Date(check.startedMs).toISOString(),
      ended: timeOf(check.endedMs),
      files: statements.spots.all({ check: check.id }).map(shown),
    }
  }

  function ended(check: SpotCheckRow, { by }: SpotOrder): SpotCheckSummary {
    const endedMs = world.clock.now()
    const summary = summaryOf({ ...check, endedMs })
    // Good results are logged too: the table of spots is not part of the hash chain, so changes to it would go unnoticed.
    const became = { files: summary.files.map(({ name, verdict }) => ({ name, verdict })) }
    store.transaction(() => {
      statements.end.run({ id: check.id, nowMs: endedMs })
      trail.append({ who: by, what: 'spotCheckEnded', subject: `spot check ${check.id}`, became }, endedMs)
    })
    return summary
  }

  return {
    async run(order) {
      const chosen = await chosenFiles(order)
      const check = store.transaction(() => {
        const nowMs = world.clock.now()
        const added = statements.add.get({ begunBy: order.by, nowMs })
        if (!added) throw new Error('adding a spot check gave no row')
        const became = { files: chosen.map(({ name }) => name) }
        beginEvents(added, chosen, nowMs)
        trail.append({ who: order.by, what: 'spotCheckBegun', subject: `spot check ${added.id}`, became }, nowMs)
        return added
      })
      tell()
      try {
        for (const file of chosen) {
          order.signal.throwIfAborted()
          await ask(check, file, order)
        }
        return ended(check, order)
      } finally {
        tell()
      }
    },
    last() {
      const check = statements.last.get({})
      return check && summaryOf(check)
    },
    onChange: changes.on,
    alarming() {
      const names = JSON.stringify(replicas.map(({ name }) => name))
      return statements.alarming.all({ replicas: names, limit: spotsAlarmingCountMax }).map(shown)
    },
  }
}

/** Salt made of two version 4 UUIDs without dashes: 244 random bits that the replicas cannot know in advance. */
function saltOf({ chance }: World): string {
  return `${chance.uuid()}${chance.uuid()}`.replaceAll('-', '')
}

/** Converts a row written by `ask` to the form of the contract. */
function shown(row: SpotRow): SpotFinding {
  const answers = JSON.parse(row.answers) as Answer[]
  return {
    name: row.name,
    job: row.job,
    at: new Date(row.atMs).toISOString(),
    salt: row.salt,
    verdict: row.verdict,
    answers: answers.map((answer) => ({
      replica: answer.replica,
      kind: answer.kind,
      hmac: answer.kind === 'answered' ? answer.hmac : null,
      why: answer.kind === 'answered' ? null : answer.why,
    })),
  }
}

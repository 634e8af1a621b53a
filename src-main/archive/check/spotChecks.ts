/** Salted spot checks test whether the replicas really hold the bytes. For files chosen at random, each with a random salt, every
 *  replica computes the HMAC-SHA-256 (RFC 2104) of its current bytes with the salt as key. Stored checksums are of no use for this, so
 *  a store that only remembers checksums cannot answer. All answers must agree; if they do not, a checksum check and the vote show
 *  which copy is right. Salt and answers are kept, so that they can be computed again from the bytes. */
import { emitter } from '../../contract/calls/emitter.ts'
import type { SpotCheckSummary, SpotFinding } from '../../contract/services/votes.ts'
import type { Store } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'
import { replicaEvents } from '../copies/replicaEvents.ts'
import { spotsAlarmingCountMax, type ArchiveLimits } from '../files/limits.ts'
import { paceOf } from '../files/readThrough.ts'
import { checkLists } from './checkList.ts'
import type { Resumer } from '../../tasks/task.ts'
import { sampleOf } from './sample.ts'
import { answerOf, type SpotReplica } from './spotAnswers.ts'
import { spotStatements, type SpotCheckRow, type SpotStatements } from './spotChecks.sql.ts'
import { spotFindingOf, spotRecords, type ChosenFile, type SpotRecords } from './spotRecords.ts'
import type { Answer } from './spotVerdict.ts'

export interface SpotChecksParts {
  replicas: readonly SpotReplica[]
  limits: ArchiveLimits
  store: Store
  world: World
}

export interface SpotOrder {
  /** Number of files, chosen at random. */
  files: number
  by: Resumer
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

/** Opens spot checks. One that a crash interrupted keeps its answers, and its end stays empty. */
export function openSpotChecks(parts: SpotChecksParts): SpotChecks {
  const { replicas } = parts
  const statements = spotStatements(parts.store)
  const choose = fileChooser(parts, statements)
  const records = spotRecords({ replicas, store: parts.store, clock: parts.world.clock }, statements)
  const ask = questioner(parts, statements, records)
  const changes = emitter()

  return {
    async run(order) {
      const chosen = await choose(order)
      const check = records.begun(order, chosen)
      changes.emit()
      try {
        for (const file of chosen) {
          order.signal.throwIfAborted()
          await ask(check, file, order)
        }
        return records.ended(check, order)
      } finally {
        changes.emit()
      }
    },
    last() {
      const check = statements.last.get({})
      return check && records.summaryOf(check)
    },
    onChange: changes.on,
    alarming() {
      const names = JSON.stringify(replicas.map(({ name }) => name))
      return statements.alarming.all({ replicas: names, limit: spotsAlarmingCountMax }).map(spotFindingOf)
    },
  }
}

/** Creates the function that chooses files at random among those stored in at least one replica. */
function fileChooser({ replicas, store, world }: SpotChecksParts, statements: SpotStatements) {
  const lists = checkLists({ store, world, events: replicaEvents(store), places: replicas })
  return async ({ files, signal }: SpotOrder): Promise<ChosenFile[]> => {
    const ids: number[] = []
    const names = replicas.map(({ name }) => name)
    for await (const page of lists.candidates(null, names)) {
      signal.throwIfAborted()
      for (const { id } of page) ids.push(id)
    }
    return sampleOf(world.chance, ids, files).flatMap((id) => statements.name.get({ id }) ?? [])
  }
}

/** Creates the function that asks all replicas about one file and records their answers. */
function questioner(
  { replicas, limits, world }: SpotChecksParts,
  statements: SpotStatements,
  records: SpotRecords,
): (check: SpotCheckRow, file: ChosenFile, order: SpotOrder) => Promise<void> {
  return async (check, file, { by, signal }) => {
    const options = { salt: saltOf(world), signal, bytesPerSecondMax: paceOf(limits, by) }
    const answers: Answer[] = []
    // Sequential, because two replicas may share a disk.
    for (const replica of replicas) answers.push(await answerOf(statements, replica, file, options))
    records.answered(check, file, { by, salt: options.salt, answers })
  }
}

/** Salt made of two version 4 UUIDs without dashes: 244 random bits that the replicas cannot know in advance. */
function saltOf({ chance }: World): string {
  return `${chance.uuid()}${chance.uuid()}`.replaceAll('-', '')
}

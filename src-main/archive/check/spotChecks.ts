/** Salted spot checks test whether the replicas really hold the bytes. For files chosen at random, each with a random salt, every
 *  replica computes the HMAC-SHA-256 (RFC 2104) of its current bytes with the salt as key. Stored checksums are of no use for this, so
 *  a store that only remembers checksums cannot answer. All answers must agree; if they do not, a checksum check and the vote show
 *  which copy is right. Salt and answers are kept, so that they can be computed again from the bytes. */
import { Fault } from '../../contract/calls/faults.ts'
import type { SpotCheckSummary, SpotFinding } from '../../contract/services/votes.ts'
import { isWholeTask } from '../../contract/states/taskStates.ts'
import { message } from '../../contract/words/message.ts'
import type { Store } from '../../storage/storage.ts'
import type { Ending, Resumer, Task } from '../../tasks/task.ts'
import type { Tasks } from '../../tasks/tasks.ts'
import type { World } from '../../world/world.ts'
import { replicaEvents } from '../copies/replicaEvents.ts'
import { spotsAlarmingCountMax, type ArchiveLimits } from '../files/limits.ts'
import { paceOf } from '../files/readThrough.ts'
import { checkLists } from './checkList.ts'
import { sampleOf } from './sample.ts'
import { answerOf, type SpotReplica } from './spotAnswers.ts'
import { spotStatements, type SpotStatements } from './spotChecks.sql.ts'
import { spotFindingOf, spotRecords, type ChosenFile, type RunningSpotCheck, type SpotRecords } from './spotRecords.ts'
import { isAlarming, type Answer, type SpotVerdict } from './spotVerdict.ts'

export interface SpotChecksParts {
  replicas: readonly SpotReplica[]
  limits: ArchiveLimits
  store: Store
  tasks: Tasks
  world: World
}

export interface SpotOrder {
  /** Number of files, chosen at random. */
  files: number
  by: Resumer
}

export interface SpotChecks {
  /** Runs a spot check, file by file, and resolves when it is complete. Throws `Fault` stopped when its task is stopped or interrupted;
   *  the answers so far are kept. */
  run(order: SpotOrder): Promise<SpotCheckSummary>
  last(): SpotCheckSummary | undefined
  /** Alarming findings whose copies have not been read since. */
  alarming(): SpotFinding[]
}

/** Opens spot checks. They are tasks that cannot continue: a challenge proves something only while its salt is new. */
export async function openSpotChecks(parts: SpotChecksParts): Promise<SpotChecks> {
  const { replicas, tasks } = parts
  const statements = spotStatements(parts.store)
  const records = spotRecords({ replicas, store: parts.store, clock: parts.world.clock }, statements)
  const work = spotWork(parts, statements, records)
  await tasks.register('spot')

  return {
    async run({ files, by }) {
      const order = { subject: message('spot.subject', { files }), startedBy: by, filesTotal: files }
      const { task: number } = tasks.begin('spot', order, (task) => work(task, { files, by }))
      const task = await tasks.ended(number)
      if (isWholeTask(task)) return records.summaryOf(task)
      throw new Fault(task.code ?? 'stopped', task.problem ?? message('spot.stopped', { number }))
    },
    last() {
      const [task] = tasks.list({ kind: 'spot', limit: 1 })
      return task && records.summaryOf(task)
    },
    alarming() {
      const names = JSON.stringify(replicas.map(({ name }) => name))
      return statements.alarming.all({ replicas: names, limit: spotsAlarmingCountMax }).map(spotFindingOf)
    },
  }
}

/** Creates the work of spot checks. */
function spotWork(parts: SpotChecksParts, statements: SpotStatements, records: SpotRecords) {
  const choose = fileChooser(parts, statements)
  const ask = questioner(parts, statements, records)

  return async (task: Task, { files, by }: SpotOrder): Promise<Ending> => {
    const check = { id: task.id, by }
    const chosen = await choose(files, task.signal)
    records.begun(check, chosen)
    task.progress({ filesTotal: chosen.length })
    let findings = 0
    for (const [filesBefore, file] of chosen.entries()) {
      task.signal.throwIfAborted()
      if (isAlarming(await ask(check, file, task.signal))) findings += 1
      task.progress({ filesDone: filesBefore + 1, findings })
    }
    const event = findings === 0 ? 'finished' : 'finishedWithFindings'
    return { event, record: () => records.ended(check) }
  }
}

/** Creates the function that chooses files at random among those stored in at least one replica. */
function fileChooser({ replicas, store, world }: SpotChecksParts, statements: SpotStatements) {
  const lists = checkLists({ store, world, events: replicaEvents(store), places: replicas })
  return async (count: number, signal: AbortSignal): Promise<ChosenFile[]> => {
    const ids: number[] = []
    const names = replicas.map(({ name }) => name)
    for await (const page of lists.candidates(null, names)) {
      signal.throwIfAborted()
      for (const { id } of page) ids.push(id)
    }
    return sampleOf(world.chance, ids, count).flatMap((id) => statements.name.get({ id }) ?? [])
  }
}

/** Creates the function that asks all replicas about one file and records their answers. */
function questioner(
  { replicas, limits, world }: SpotChecksParts,
  statements: SpotStatements,
  records: SpotRecords,
): (check: RunningSpotCheck, file: ChosenFile, signal: AbortSignal) => Promise<SpotVerdict> {
  return async (check, file, signal) => {
    const options = { salt: saltOf(world), signal, bytesPerSecondMax: paceOf(limits, check.by) }
    const answers: Answer[] = []
    // Sequential, because two replicas may share a disk.
    for (const replica of replicas) answers.push(await answerOf(statements, replica, file, options))
    return records.answered(check, file, { salt: options.salt, answers })
  }
}

/** Salt made of two version 4 UUIDs without dashes: 244 random bits that the replicas cannot know in advance. */
function saltOf({ chance }: World): string {
  return `${chance.uuid()}${chance.uuid()}`.replaceAll('-', '')
}

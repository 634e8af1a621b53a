/** The startup loop: READYFORSTARTUP → STARTINGUP → ACTIVE. It puts the seeds into the queue in one transaction with the last
 *  move; an import is taken in whole before it is ACTIVE. */
import type { JobState } from '../../contract/jobStates.ts'
import { openFrontier } from '../frontier.ts'
import { importFiles } from '../import/importFiles.ts'
import type { Engine, Loop } from './engine.ts'

const takenFrom: readonly JobState[] = ['READYFORSTARTUP', 'READYFORSTARTUPMINIMAL']
const goesOnIn: readonly JobState[] = ['STARTINGUP', 'STARTINGUPMINIMAL']

export function startupLoop(engine: Engine): Loop {
  return {
    name: 'startup',
    pass(running) {
      for (const { id: job, state } of running) {
        if (takenFrom.includes(state) && !engine.tasks.isBusy(job)) {
          engine.tasks.begin(job, { loop: 'startup', goesOnIn: [...takenFrom, ...goesOnIn] }, (signal) =>
            startUp(engine, job, signal),
          )
        }
        // Nothing is under way for it: what was asked for during its startup comes next.
        if (!engine.tasks.isBusy(job, 'startup')) engine.move(job, 'startupEnded')
      }
    },
  }
}

async function startUp(engine: Engine, job: number, signal: AbortSignal): Promise<void> {
  if (engine.move(job, 'startupTaken') === undefined) return
  await engine.world.disk.makeFolder(engine.folderOf(job))
  if (engine.rowOf(job).kind === 'import') await takeIn(engine, job, signal)
  else seed(engine, job)
}

async function takeIn(engine: Engine, job: number, signal: AbortSignal): Promise<void> {
  const { store, sql, world, settings } = engine
  await importFiles({
    ...engine.fileSetting(job),
    archive: engine.archive,
    freeBytesMin: settings.freeBytesMin,
    incomingFolder: engine.incomingFolder,
    signal,
    say: (level, text) => engine.say(job, level, text),
    onMoved: (files) => engine.onImported(job, files),
  })
  if (signal.aborted) return
  store.transaction(() => {
    if (engine.move(job, 'seeded') !== undefined) sql.begin.run({ job, nowMs: world.clock.now() })
  })
}

function seed(engine: Engine, job: number): void {
  const { store, sql, queue, world } = engine
  const { seeds, robots } = engine.definitionOf(job)
  const isSeeded = store.transaction(() => {
    // A person may have stopped it in the meantime.
    if (engine.move(job, 'seeded') === undefined) return false
    const nowMs = world.clock.now()
    const candidates = seeds.map((url) => ({ url, role: 'page' as const, hopPath: '', hops: 0, via: null }))
    const { counts } = openFrontier(store, job, robots).discover(candidates, nowMs)
    queue.count.run({ job, ...counts })
    sql.begin.run({ job, nowMs })
    sql.beginStretch.run({ job, nowMs })
    return true
  })
  if (isSeeded) engine.say(job, 'info', `Started with ${seeds.length} ${seeds.length === 1 ? 'seed' : 'seeds'}.`)
}

/** Generates the runs of harvests that are due, each in a thread of its own, one at a time per harvest (NetarchiveSuite 7,
 *  `HarvestJobGenerator`). */
import { Fault, faultFromThread, userMessageOf } from '../../contract/calls/faults.ts'
import { messageOf } from '../../contract/text/messageOf.ts'
import { message, type Message } from '../../contract/words/message.ts'
import type { Store } from '../../storage/storage.ts'
import type { Clock } from '../../world/world.ts'
import type { HarvestDefinitions } from '../definitions/harvestDefinitions.ts'
import { replanner } from '../definitions/replan.ts'
import { harvestReadStatements } from '../definitions/harvestDefinitions.sql.ts'
import { discardIncomplete, type Generated } from '../generation/generate.ts'

/** What became of a generation. */
export interface GenerationReport {
  harvest: number
  result: { generated: Generated } | { failure: Message }
}

/** The scheduler of an archive. */
export interface Scheduler {
  /** Begins the generations that are due; they go on after it returns. */
  pass(): void
  /** Generates the next run of a harvest now. Rejects with `Fault`: refused while it is generating already, or what made it fail. */
  run(harvest: number): Promise<Generated>
  isGenerating(harvest: number): boolean
  /** Stops generations and waits for their end. They begin again at the next start. */
  close(): Promise<void>
}

interface SchedulerSetting {
  store: Store
  clock: Pick<Clock, 'now'>
  definitions: Pick<HarvestDefinitions, 'deactivate' | 'show'>
  /** Channels that a harvester listens to: harvests on others wait. */
  listened: readonly string[]
  generate(harvest: number, isPlanned: boolean, signal: AbortSignal): Promise<Generated>
  onReport(report: GenerationReport): void
}

/** Opens the scheduler, and removes what generations that were killed have left. */
export function openScheduler({
  store,
  clock,
  definitions,
  listened,
  generate,
  onReport,
}: SchedulerSetting): Scheduler {
  const { due } = harvestReadStatements(store)
  const replan = replanner(store)
  const generating = new Map<number, Promise<unknown>>()
  const stop = new AbortController()
  discardIncomplete(store, null)

  async function generateNow(harvest: number, isPlanned: boolean): Promise<Generated> {
    try {
      const generated = await generate(harvest, isPlanned, stop.signal)
      onReport({ harvest, result: { generated } })
      return generated
    } catch (thrown) {
      const error = faultFromThread(thrown)
      // A generation that was stopped is neither a failure nor done: the next start discards it and begins again.
      if (!stop.signal.aborted) fail(harvest, failureOf(error))
      throw error
    } finally {
      generating.delete(harvest)
    }
  }

  function fail(harvest: number, failure: Message): void {
    definitions.deactivate(harvest, failure)
    onReport({ harvest, result: { failure } })
  }

  function begin(harvest: number, isPlanned: boolean): Promise<Generated> {
    const generation = generateNow(harvest, isPlanned)
    generating.set(harvest, generation)
    return generation
  }

  return {
    pass() {
      replan(clock.now())
      for (const { id } of due.all({ nowMs: clock.now() })) {
        if (generating.has(id) || !listened.includes(definitions.show(id).channel)) continue
        // The failure is in the report.
        begin(id, true).catch(() => undefined)
      }
    },
    async run(harvest) {
      const { name } = definitions.show(harvest)
      if (generating.has(harvest)) throw new Fault('refused', message('harvest.generating', { name }))
      return begin(harvest, false)
    },
    isGenerating: (harvest) => generating.has(harvest),
    async close() {
      stop.abort()
      await Promise.allSettled(generating.values())
    },
  }
}

function failureOf(error: unknown): Message {
  const problem = error instanceof Fault ? userMessageOf(error) : messageOf(error)
  return message('harvest.generationFailed', { problem })
}

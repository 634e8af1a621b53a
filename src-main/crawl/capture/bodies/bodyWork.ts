/** Work on the bodies of answers: links, digests and compression. It takes a third of the time of a harvest, so it has a thread of its own,
 *  next to the one that fetches and commits. Tasks that arrive while the thread works share the next message. */
import type { OwnThread, World } from '../../../world/world.ts'
import type { LinkWork } from '../fetch/bodyLinks.ts'
import type { RecordWork } from '../records/recordMembers.ts'
import type { BodyResult, BodyTask } from './bodies.thread.ts'
import { unpackedLinks } from './packedLinks.ts'

/** Runs tasks on bodies. */
export interface BodyWork extends LinkWork, RecordWork {
  /** Keeps the thread until the returned function is called. The thread starts with the first task. */
  join(): () => void
}

/** Largest JavaScript heap of the thread. It decodes one body of at most `extractBytesMax` at a time. */
const heapBytesMax = 512 * 2 ** 20
/** The thread has no task that could be asked to stop. */
const stopMsMax = 10_000
/** Tasks per message: enough to spread its cost, few enough for the first of them not to wait long. */
const batchCountMax = 32

interface Waiting {
  task: BodyTask
  resolve(result: BodyResult): void
  reject(error: unknown): void
}

/** Opens the work for all jobs of an engine. */
export function openBodyWork(world: World): BodyWork {
  let thread: OwnThread | undefined
  let users = 0
  let waiting: Waiting[] = []
  let isRunning = false

  async function run(): Promise<void> {
    // The records and the links of one answer are requested in the same turn: in one message, its body is copied once.
    await Promise.resolve()
    while (waiting.length > 0) {
      const batch = waiting.slice(0, batchCountMax)
      waiting = waiting.slice(batchCountMax)
      await runBatch(batch)
    }
    isRunning = false
  }

  async function runBatch(batch: readonly Waiting[]): Promise<void> {
    try {
      if (!thread || thread.ended) thread = world.threads.own({ heapBytesMax, stopMsMax })
      const results = await thread.run<BodyTask[], BodyResult[]>(
        new URL('./bodies.thread.ts', import.meta.url),
        batch.map(({ task }) => task),
      )
      for (const [at, result] of results.entries()) batch[at]?.resolve(result)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  function done(task: BodyTask): Promise<BodyResult> {
    const result = new Promise<BodyResult>((resolve, reject) => void waiting.push({ task, resolve, reject }))
    if (!isRunning) {
      isRunning = true
      void run()
    }
    return result
  }

  return {
    async links(input) {
      const result = await done({ kind: 'links', input })
      return result.kind === 'links' ? unpackedLinks(result.output) : mismatch()
    },
    async members(input) {
      const result = await done({ kind: 'members', input })
      return result.kind === 'members' ? result.output : mismatch()
    },
    join() {
      users += 1
      return () => {
        users -= 1
        if (users > 0) return
        thread?.close()
        thread = undefined
      }
    },
  }
}

function mismatch(): never {
  throw new Error('the results of bodies are in another order than their tasks')
}

/** Builds of databases as tasks: each is in the list of tasks with its progress, and can be stopped there. A build does not continue
 *  after a stop or a restart: it starts again from what is on the disk when someone needs the database. */
import { Fault, userMessageOf } from '../../contract/calls/faults.ts'
import { messageOf } from '../../contract/text/messageOf.ts'
import { message, type Message } from '../../contract/words/message.ts'
import type { Ending, Task } from '../../tasks/task.ts'
import type { Tasks } from '../../tasks/tasks.ts'
import { buildTasksKeptMax } from '../model/limits.ts'

export type BuildTasks = Pick<Tasks, 'register' | 'begin'>

/** A build to run as a task. */
export interface BuildOrder {
  /** What the database covers, for users. */
  subject: Message
  filesTotal: number
  /** Aborted when no one needs the database any more. */
  unneeded?: AbortSignal
}

/** A build that has ended. `missing`: files that could not be included. */
export interface Built<T> {
  result: T
  missing: number
}

/** Makes the kind of task known. The leftovers of interrupted builds are temporary files, which `openIndexes` removes. */
export async function registerBuilds(tasks: BuildTasks): Promise<void> {
  await tasks.register('index', { endedMax: buildTasksKeptMax })
}

/** Runs a build as a task, and resolves or rejects as it does. `stopped` is aborted with `Fault` stopped when the task is stopped.
 *  Errors are for the caller: the task fails with their text, and no bug is reported a second time. Rejects with `Fault` stopped when
 *  the tasks are closed. A build without files is over at once, and does not become a task. */
export async function buildTask<T>(
  tasks: BuildTasks,
  { subject, filesTotal, unneeded }: BuildOrder,
  build: (report: Task['progress'], stopped: AbortSignal) => Promise<Built<T>>,
): Promise<T> {
  if (filesTotal === 0) return (await build(() => undefined, new AbortController().signal)).result
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  tasks.begin('index', { subject, startedBy: 'user', filesTotal }, async (task): Promise<Ending> => {
    try {
      const { result, missing } = await build((changed) => task.progress(changed), stoppedWith(task))
      task.progress({ findings: missing })
      resolve(result)
      return { event: missing === 0 ? 'finished' : 'finishedInPart' }
    } catch (error) {
      reject(error)
      task.signal.throwIfAborted()
      return unneeded?.aborted ? { event: 'unneeded' } : failed(error)
    }
  })
  return promise
}

/** A signal that is aborted together with that of the task, with a reason for those who wait for the database. */
function stoppedWith({ signal }: Task): AbortSignal {
  const stopper = new AbortController()
  const stop = () => stopper.abort(new Fault('stopped', message('index.stopped')))
  if (signal.aborted) stop()
  else signal.addEventListener('abort', stop, { once: true })
  return stopper.signal
}

function failed(error: unknown): Ending {
  if (error instanceof Fault) return { event: 'failed', code: error.code, problem: userMessageOf(error) }
  return { event: 'failed', code: 'internal', problem: message('index.failed', { problem: messageOf(error) }) }
}

/** Upload sessions. A session uploads one file to the replicas on behalf of all callers that store it. `storeMachine.ts` decides what
 *  a session does; this module records its decisions in the database and sends its requests to the replicas (`upload.ts`). */
import type { FileRow } from '../copies/archive.sql.ts'
import { newlyKnown, step, type Answer, type Effect, type FileUpload, type StoreMessage } from './storeMachine.ts'
import type { StoringParts, Watching } from './storingParts.ts'
import type { InTurn } from './turns.ts'
import { askChecksum, upload, type ReplicaTask, type StoreProgress } from './upload.ts'
import type { UploadRecords } from './uploadRecords.ts'

/** A caller waiting for a session. When the last one withdraws, the session is stopped. */
export interface Waiter extends Omit<Watching, 'restoresMissing'> {
  /** Path of the source file; undefined where the waiter knows none. */
  source: string | undefined
  message: (number: number) => StoreMessage
  answer?: (answer: Answer) => void
}

interface UploadSession {
  row: FileRow
  machine: FileUpload
  source: string | undefined
  waiters: Map<number, Waiter>
  stopper: AbortController
  /** By replica, the number of the machine's checksum request that the read-back in progress will answer. */
  rereads: Map<string, number>
  tasks: Set<Promise<void>>
  /** Settles when all tasks of the session have ended. */
  whole: Promise<void>
}

interface SessionsParts extends Pick<StoringParts, 'store' | 'replicas' | 'limits' | 'onChange'> {
  records: UploadRecords
  inTurn: InTurn
}

/** Creates the sessions: at most one per file at a time, which all callers that store the file share. */
export function uploadSessions({ store, replicas, limits, onChange, records, inTurn }: SessionsParts) {
  const replicaNames = replicas.map(({ name }) => name)
  const tasks = replicaTasks(replicas, onMessage)
  /** Sessions that can be joined, by file name. */
  const sessions = new Map<string, UploadSession>()
  let lastWaiter = 0

  function newSession(row: FileRow): UploadSession {
    const copies = records.copiesOf(row)
    const stateOf = (replica: string) => copies.find((copy) => copy.replica === replica)?.upload
    return {
      row,
      machine: newlyKnown(row.sha256, replicaNames, stateOf),
      source: undefined,
      waiters: new Map(),
      stopper: new AbortController(),
      rereads: new Map(),
      tasks: new Set(),
      whole: Promise.resolve(),
    }
  }

  /** Passes a message to the machine. When this returns, the transitions are in the database and the tasks are running. */
  function onMessage(session: UploadSession, message: StoreMessage): void {
    const { file, effects } = step(session.machine, message, limits)
    store.transaction(() => effects.forEach((effect) => records.note(session.row, effect)))
    session.machine = file
    for (const effect of effects) tasks.send(session, effect)
    if (effects.some(({ kind }) => kind === 'begin' || kind === 'move')) onChange()
  }

  /** Waits for all tasks of the session; rejects with the first error. */
  async function allTasks(session: UploadSession): Promise<void> {
    const { tasks } = session
    let wrong: { reason: unknown } | undefined
    while (tasks.size > 0) {
      const [task] = tasks
      if (!task) break
      await task.catch((reason: unknown) => (wrong ??= { reason }))
      tasks.delete(task)
    }
    // From here on the session cannot be joined: a later store starts a new one.
    sessions.delete(session.row.name)
    if (wrong) throw wrong.reason
  }

  function join(session: UploadSession, number: number, waiter: Waiter): void {
    session.source = waiter.source ?? session.source
    session.waiters.set(number, waiter)
    onMessage(session, waiter.message(number))
  }

  /** Starts a session when its turn under the file's name comes: after a session that is being stopped, or the removal of leftovers. */
  function start(file: FileRow, number: number, waiter: Waiter): Promise<UploadSession> {
    return new Promise((resolve, reject) => {
      const turn = inTurn(file.name, async () => {
        waiter.signal.throwIfAborted()
        const session = newSession(file)
        join(session, number, waiter)
        sessions.set(file.name, session)
        session.whole = allTasks(session)
        resolve(session)
        await session.whole
      })
      // Once started, errors reach the waiters through `session.whole`.
      turn.catch(reject)
    })
  }

  /** Uploads the file, joining a running session if there is one. Resolves when no task is running any more. Rejects with the signal's
   *  reason when stopped; the session itself stops only when no other waiter is left. */
  async function runSession(file: FileRow, waiter: Waiter): Promise<void> {
    const { signal } = waiter
    signal.throwIfAborted()
    lastWaiter += 1
    const number = lastWaiter
    const known = sessions.get(file.name)
    const isOpen = known && !known.stopper.signal.aborted
    if (isOpen) join(known, number, waiter)
    const session = isOpen ? known : await start(file, number, waiter)
    const { promise: left, reject: leave } = Promise.withResolvers<never>()
    const onAbort = () => {
      session.waiters.delete(number)
      onMessage(session, { kind: 'withdraw', store: number })
      if (session.waiters.size === 0) session.stopper.abort(signal.reason)
      else leave(signal.reason)
    }
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
    try {
      await Promise.race([session.whole, left])
      signal.throwIfAborted()
    } finally {
      signal.removeEventListener('abort', onAbort)
    }
  }

  return { run: runSession }
}

/** Sends the requests of a session to the replicas and returns their replies to it as messages. */
function replicaTasks(
  replicas: StoringParts['replicas'],
  onMessage: (session: UploadSession, message: StoreMessage) => void,
) {
  function send(session: UploadSession, effect: Effect): void {
    if (effect.kind === 'answer') session.waiters.get(effect.store)?.answer?.(effect.answer)
    if (effect.kind === 'upload') begin(session, () => uploadTo(session, effect))
    if (effect.kind !== 'askChecksum') return
    if (session.rereads.has(effect.replica)) session.rereads.set(effect.replica, effect.message)
    else begin(session, () => askOf(session, effect))
  }

  /** Starts a task. An error (a bug, a stop) ends the session after the other tasks have ended. */
  function begin({ tasks }: UploadSession, act: () => Promise<void>): void {
    const task = act()
    // Reported by `allTasks`, which may be waiting for another task first.
    task.catch(() => undefined)
    tasks.add(task)
  }

  async function uploadTo(session: UploadSession, { replica, message }: Effect & { kind: 'upload' }): Promise<void> {
    const { row, source } = session
    if (source === undefined) throw new Error(`${row.name} is to be written, but no source is known`)
    session.rereads.set(replica, 0)
    const reread = (came: StoreMessage & { kind: 'checksumReply' }) => {
      session.rereads.delete(replica)
      onMessage(session, came)
    }
    await upload(
      { ...taskFor(session, replica), source },
      {
        uploaded(came) {
          // Only a file that was written is read back.
          if (came.kind !== 'written') session.rereads.delete(replica)
          onMessage(session, { kind: 'uploadReply', replica, message, came })
        },
        reread: (came) => reread({ kind: 'checksumReply', replica, message: session.rereads.get(replica) ?? 0, came }),
      },
    )
  }

  async function askOf(session: UploadSession, { replica, message }: Effect & { kind: 'askChecksum' }): Promise<void> {
    const came = await askChecksum(taskFor(session, replica))
    onMessage(session, { kind: 'checksumReply', replica, message, came })
  }

  function taskFor(session: UploadSession, name: string): ReplicaTask {
    const replica = replicas.find((each) => each.name === name)
    if (!replica) throw new Error(`there is no replica ${name}`)
    const onProgress = (progress: StoreProgress) => {
      for (const waiter of session.waiters.values()) waiter.onProgress(progress)
    }
    return { replica, file: session.row, signal: session.stopper.signal, onProgress }
  }

  return { send }
}

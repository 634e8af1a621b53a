/** Storing: registers a file in the catalogue and brings it into every replica, now or after a kill. What follows from what
 *  is decided by `storeMachine.ts`; here its moves are written into the database, in one transaction with each message, and
 *  its wishes sent to the replicas (`upload.ts`). Several stores of one file travel together. */
import { isBadCopy, isGoodCopy } from '../../contract/states/copyStates.ts'
import { uploadStates } from '../../contract/states/states.ts'
import { mover } from '../../storage/guard.ts'
import type { Store } from '../../storage/storage.ts'
import { DiskFault, type World } from '../../world/world.ts'
import { ArchiveFault, faultCodeOf, type ArchiveFaultCode } from '../files/archiveFault.ts'
import { auditTrail } from '../audit/audit.ts'
import type { ArchiveStatements, CopyRow, FileKind, FileRow } from '../copies/archive.sql.ts'
import { hashFile } from '../files/hashing.ts'
import type { ArchiveLimits } from '../files/limits.ts'
import { nameProblem } from '../files/names.ts'
import { copyRestorer } from './restoreCopy.ts'
import { pathOfFirst } from './reading.ts'
import { repairActions } from '../copies/repairActions.ts'
import type { Replica } from '../replica/replica.ts'
import { openObservations } from '../copies/observations.ts'
import {
  newlyKnown,
  step,
  type Answer,
  type Effect,
  type FileUpload,
  type Message,
  type Problem,
} from './storeMachine.ts'
import { askChecksum, upload, type ReplicaTask, type StoreProgress } from './upload.ts'

export interface FileToStore {
  /** Where the bytes are now; they stay there. */
  path: string
  /** The name it is to have in the archive. */
  name: string
  kind: FileKind
  jobId: number | null
}

/** A file whose bytes the replicas hold already. */
export interface FileToAdopt extends Omit<FileToStore, 'path'> {
  bytes: number
  sha256: string
}

export interface UploadProblem {
  replica: string
  problem: string
  code: ArchiveFaultCode
}

/** `stored`: every replica has it and its checksum agreed. A failed one may be stored again at any time. */
export type StoreOutcome = { state: 'stored' } | { state: 'failed'; problems: UploadProblem[] }

interface Watching {
  signal: AbortSignal
  /** Copies that were stored once and are missing now are brought back from these bytes. */
  restoresMissing: boolean
  onProgress: (progress: StoreProgress) => void
}

interface StoringParts {
  store: Store
  world: World
  statements: ArchiveStatements
  replicas: readonly Replica[]
  limits: ArchiveLimits
  onChange: () => void
}

/** Whoever asked for a session; when the last one no longer wants it, it is stopped. */
interface Waiter extends Omit<Watching, 'restoresMissing'> {
  /** Where the bytes are to be had, as far as this one knows. */
  source: string | undefined
  message: (number: number) => Message
  answer?: (answer: Answer) => void
}

/** One file on its way into the replicas, for all who asked for it. */
interface UploadSession {
  row: FileRow
  machine: FileUpload
  source: string | undefined
  waiters: Map<number, Waiter>
  stopper: AbortController
  /** The message by which the machine asks for the checksum of what is just being read again. */
  rereads: Map<string, number>
  tasks: Set<Promise<void>>
  /** When nothing of it is under way any more. */
  whole: Promise<void>
}

export function storing({ store, world, statements, replicas, limits, onChange }: StoringParts) {
  const move = mover(store, uploadStates, { table: 'replica_file', column: 'upload_state' })
  const trail = auditTrail(store)
  const observations = openObservations(store)
  const replicaNames = replicas.map(({ name }) => name)
  const inTurn = turns()
  const restoreCopy = copyRestorer(store, world.clock)
  const noteRepair = repairActions(store)
  /** Those that can be joined. */
  const sessions = new Map<string, UploadSession>()
  let lastWaiter = 0

  function markStored(file: FileRow): void {
    const nowMs = world.clock.now()
    const marked = statements.markStored.run({ file: file.id, replicas: JSON.stringify(replicaNames), nowMs })
    if (marked === 0) return
    const became = { bytes: file.bytes, sha256: file.sha256, replicas: replicaNames }
    const who = file.jobId === null ? 'upload' : `job ${file.jobId}`
    trail.append({ who, what: 'store', subject: file.name, became }, nowMs)
  }

  function copiesOf(file: FileRow): CopyRow[] {
    return statements.copiesOf.all({ files: JSON.stringify([file.id]) })
  }

  function newSession(row: FileRow): UploadSession {
    const copies = copiesOf(row)
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

  /** The machine hears a message: its moves are in the database when this returns, its tasks on their way. */
  function onMessage(session: UploadSession, message: Message): void {
    const { file, effects } = step(session.machine, message, limits)
    store.transaction(() => effects.forEach((effect) => note(session.row, effect)))
    session.machine = file
    for (const effect of effects) send(session, effect)
    if (effects.some(({ kind }) => kind === 'begin' || kind === 'move')) onChange()
  }

  function note(row: FileRow, effect: Effect): void {
    if (effect.kind === 'begin') statements.addCopy.run({ file: row.id, replica: effect.replica })
    if (effect.kind === 'upload') statements.noteAttempt.run({ file: row.id, replica: effect.replica })
    if (effect.kind === 'stored') markStored(row)
    if (effect.kind !== 'move') return
    const copy = copiesOf(row).find(({ replica }) => replica === effect.replica)
    const state = copy && move(copy.id, effect.event)
    if (!copy || state === undefined)
      throw new Error(`the upload of ${row.name} cannot take ${effect.event}: somebody else moved its state`)
    statements.noteProblem.run({ id: copy.id, problem: effect.problem?.text ?? null })
    if (state !== 'UPLOAD_COMPLETED') return
    observations.note(copy.id, { seen: 'stored', sha256: row.sha256, bytes: row.bytes }, world.clock.now())
  }

  function send(session: UploadSession, effect: Effect): void {
    if (effect.kind === 'answer') session.waiters.get(effect.store)?.answer?.(effect.answer)
    if (effect.kind === 'upload') begin(session, () => uploadTo(session, effect))
    if (effect.kind !== 'askChecksum') return
    if (session.rereads.has(effect.replica)) session.rereads.set(effect.replica, effect.message)
    else begin(session, () => askOf(session, effect))
  }

  /** What goes wrong with a task (a bug, a stop) ends the session, once the others have come to their end. */
  function begin({ tasks }: UploadSession, act: () => Promise<void>): void {
    const task = act()
    // Told by `allTasks`, which may be waiting for another one first.
    task.catch(() => undefined)
    tasks.add(task)
  }

  async function uploadTo(session: UploadSession, { replica, message }: Effect & { kind: 'upload' }): Promise<void> {
    const { row, source } = session
    if (source === undefined) throw new Error(`${row.name} is to be written, and nobody knows its bytes`)
    session.rereads.set(replica, 0)
    const reread = (came: Message & { kind: 'checksumReply' }) => {
      session.rereads.delete(replica)
      onMessage(session, came)
    }
    await upload(
      { ...taskFor(session, replica), source },
      {
        uploaded(came) {
          // Only what was written is read again.
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

  /** Returns when nothing of it is under way any more; rejects with what went wrong first. */
  async function allTasks(session: UploadSession): Promise<void> {
    const { tasks } = session
    let wrong: { reason: unknown } | undefined
    while (tasks.size > 0) {
      const [task] = tasks
      if (!task) break
      await task.catch((reason: unknown) => (wrong ??= { reason }))
      tasks.delete(task)
    }
    // From here on nobody joins: who comes now sets out anew.
    sessions.delete(session.row.name)
    if (wrong) throw wrong.reason
  }

  function join(session: UploadSession, number: number, waiter: Waiter): void {
    session.source = waiter.source ?? session.source
    session.waiters.set(number, waiter)
    onMessage(session, waiter.message(number))
  }

  /** Begins a session after whatever else is done under its name: one that is being stopped, the removal of leftovers. */
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
      // Once it has set out, whoever travels hears of it.
      turn.catch(reject)
    })
  }

  /** Brings the file on its way, or joins those who do. Resolves when nothing is under way any more; rejects with the
   *  signal's reason when it was stopped, which stops the others only if there are none. */
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

  async function storeOne(file: FileToStore, watching: Watching): Promise<StoreOutcome> {
    const { row, sha256 } = await register(file, watching.signal)
    let answer: Answer | undefined
    await runSession(row, {
      ...watching,
      source: file.path,
      message: (store) => ({ kind: 'store', store, sha256 }),
      answer: (given) => (answer = given),
    })
    if (!answer) throw new Error(`the store of ${file.name} was never answered`)
    const blockers =
      answer.kind !== 'otherFile' && watching.restoresMissing ? await restoreMissing(row, file, watching) : []
    return outcomeOf(row, answer, new Map(blockers))
  }

  function outcomeOf(row: FileRow, answer: Answer, blockers: ReadonlyMap<string, Problem>): StoreOutcome {
    if (answer.kind === 'otherFile')
      throw new ArchiveFault(
        'refused',
        `the archive already has a different file named ${row.name} (SHA-256 ${row.sha256}). Choose another name`,
      )
    const unreported = answer.kind === 'notStored' ? answer.problems : []
    const problems = unreported.map(({ replica, code, text }) => ({ replica, code, problem: text }))
    const lost = lostCopies(row, blockers)
    return problems.length + lost.length === 0
      ? { state: 'stored' }
      : { state: 'failed', problems: [...problems, ...lost] }
  }

  /** Copies that were stored and were bad when last looked at. Nothing is written over a damaged one, which is for repair;
   *  but who asks may have the last good bytes, and must not drop them. */
  function lostCopies(row: FileRow, blockers: ReadonlyMap<string, Problem>): UploadProblem[] {
    const copies = copiesOf(row).filter(({ replica }) => replicaNames.includes(replica))
    const holders = replicas.filter(({ kind }) => kind === 'files').map(({ name }) => name)
    const hasGood = copies.some((copy) => holders.includes(copy.replica) && isGoodCopy(copy))
    return copies.filter(isBadCopy).map(({ replica, preservation }) => {
      const found = preservation === 'MISSING' ? 'is missing' : 'is damaged'
      const blocker = blockers.get(replica)
      const advice = hasGood
        ? 'repair it, since another replica has a good copy'
        : preservation === 'MISSING'
          ? 'no replica has a good copy, so keep this file and upload it under the same name'
          : 'no replica has a good copy, so keep this file. Damaged copies are never overwritten: move the damaged copy out of the replica, run a check for missing files, and upload this file again'
      const why = blocker === undefined ? `: ${advice}` : `, and could not be restored: ${blocker.text}`
      const code = blocker?.code ?? 'refused'
      return { replica, code, problem: `a check found that the copy ${found}${why}` }
    })
  }

  /** Brings the very file to every replica whose copy was stored and is missing. Gives why it could not, by replica. */
  async function restoreMissing(row: FileRow, { path }: FileToStore, watching: Watching): Promise<[string, Problem][]> {
    const { signal, onProgress } = watching
    const blockers: [string, Problem][] = []
    for (const replica of replicas) {
      const isMissing = () =>
        copiesOf(row).some(({ replica: name, preservation }) => name === replica.name && preservation === 'MISSING')
      await inTurn(row.name, async () => {
        signal.throwIfAborted()
        // Somebody else may have brought it while this waited for its turn.
        if (!isMissing()) return
        const blocker = await restoreCopy({ replica, file: row, signal, onProgress, source: path, who: 'upload' })
        if (blocker === undefined) noteRestoredCopy(row, replica.name)
        else if (isMissing()) blockers.push([replica.name, blocker])
      })
    }
    return blockers
  }

  function noteRestoredCopy({ name: subject, sha256 }: FileRow, replica: string): void {
    const text = `${subject} in replica ${replica} was restored from the uploaded file.`
    const became = { replica, kind: 'restore', source: 'upload', attic: null, text, sha256 }
    const was = { replica, sha256: null, seen: 'absent' }
    const action = {
      who: 'upload',
      what: 'repair',
      subject,
      was,
      became,
      replica,
      by: 'person',
      isRight: true,
    } as const
    noteRepair(action, world.clock.now())
    onChange()
  }

  /** The file's row, made when the name is new, and the checksum of what is to be stored, which may be another. */
  async function register(
    { path, name, kind, jobId }: FileToStore,
    signal: AbortSignal,
  ): Promise<{ row: FileRow; sha256: string }> {
    const wrong = nameProblem(name)
    if (wrong !== undefined)
      throw new ArchiveFault('refused', `'${name}' is not a valid file name in the archive: ${wrong}`)
    const { sha256, bytes } = await hashFile(world, { path, bytesPerSecondMax: 0 }, { signal }).catch(
      (error: unknown) => {
        if (!(error instanceof DiskFault)) throw error
        throw new ArchiveFault(faultCodeOf[error.code], `${path} cannot be stored: ${error.message}`, { cause: error })
      },
    )
    if (!statements.file.get({ name })) {
      refuseAlike(name)
      await refuseOther({ name, sha256 }, signal)
    }
    const row = statements.file.get({ name }) ?? registered({ name, bytes, sha256, kind, job: jobId })
    if (!row) throw new Error(`registering ${name} gave no row`)
    return { row, sha256 }
  }

  function registered(file: Omit<Parameters<typeof statements.register.get>[0], 'nowMs'>): FileRow | undefined {
    // Its twin may have come while the replicas were asked.
    refuseAlike(file.name)
    return statements.register.get({ ...file, nowMs: world.clock.now() })
  }

  /** Names have only ASCII letters (`names.ts`), so capitals are all in which two can look alike to a disk. */
  function refuseAlike(name: string): void {
    const other = statements.alike.get({ name })?.name
    if (other !== undefined)
      throw new ArchiveFault(
        'refused',
        `the archive already has a file named ${other}, which many disks treat as the same name as ${name}. Choose a name that differs in more than case`,
      )
  }

  /** Under a name that the catalogue does not know the replicas may hold another file: a database of yesterday. Registered,
   *  the new file would stand for what lies there, and nobody would name that any more. The very file is welcome. */
  async function refuseOther({ name, sha256 }: { name: string; sha256: string }, signal: AbortSignal): Promise<void> {
    const found = await Promise.all(
      replicas.map(async (replica) => ({ replica, lies: await lies(replica, name, signal) })),
    )
    const other = found.find((each) => each.lies !== undefined && each.lies !== sha256)
    if (!other) return
    throw new ArchiveFault(
      'refused',
      `replica ${other.replica.name} has a different file named ${name} (SHA-256 ${other.lies}) that is not in the database. Nothing was stored. If the database is older than the replicas, restore a newer backup; otherwise choose another name`,
    )
  }

  /** The checksum of what lies under the name; undefined when nothing does, or when the replica is away, as its upload will
   *  say. Throws `ArchiveFault` where something may lie there and nobody can read it: that too would be stood for. */
  async function lies(replica: Replica, name: string, signal: AbortSignal): Promise<string | undefined> {
    if ((await replica.problem()) !== undefined) return undefined
    try {
      return (await replica.stat(name)) && (await replica.checksum(name, { signal }))?.sha256
    } catch (error) {
      if (!(error instanceof DiskFault || error instanceof ArchiveFault)) throw error
      if ((await replica.problem()) !== undefined) return undefined
      throw new ArchiveFault(
        error instanceof DiskFault ? faultCodeOf[error.code] : error.code,
        `replica ${replica.name} has a file named ${name} that is not in the database and cannot be read (${error.message}). Nothing was stored. Inspect the file and try again, or choose another name`,
        { cause: error },
      )
    }
  }

  /** In turn, so that the temporary file of a copy being made is not taken for one. A name that the catalogue does not
   *  know is not ours. */
  async function removeLeftovers(replica: Replica): Promise<void> {
    for (const name of await replica.leftovers()) {
      if (!statements.file.get({ name })) continue
      await inTurn(name, async () => {
        if (!(await isLastTrace(replica, name))) await replica.removeLeftover(name)
      })
    }
  }

  /** The copy counts as stored, and nothing lies under its name: a disk that lost a rename which it had reported done leaves
   *  the bytes where they were before, and they may be the last ones. The next repair writes over them. */
  async function isLastTrace(replica: Replica, name: string): Promise<boolean> {
    if (!statements.holds.get({ replica: replica.name, name })) return false
    try {
      return (await replica.stat(name)) === undefined
    } catch (error) {
      if (!(error instanceof DiskFault || error instanceof ArchiveFault)) throw error
      return true
    }
  }

  /** Goes on from a copy that another replica gives, and that nobody has reason to doubt, where the bytes are not in the
   *  replica yet. */
  async function finish(name: string, signal: AbortSignal): Promise<void> {
    const file = statements.file.get({ name })
    if (!file) throw new Error(`${name} left the catalogue`)
    const source = (await pathOfFirst(statements, replicas, name))?.path
    const message = { kind: 'resume', hasSource: source !== undefined } as const
    await runSession(file, { signal, onProgress: () => undefined, source, message: () => message })
  }

  /** The copies were read just now, and have this checksum: each counts as stored from now on. */
  function adopt({ name, kind, jobId, bytes, sha256 }: FileToAdopt, holders: readonly string[]): void {
    store.transaction(() => {
      const row = statements.file.get({ name }) ?? registered({ name, bytes, sha256, kind, job: jobId })
      if (!row) throw new Error(`registering ${name} gave no row`)
      const nowMs = world.clock.now()
      for (const replica of holders) {
        const copy = statements.addStoredCopy.get({ file: row.id, replica })
        if (copy) observations.note(copy.id, { seen: 'stored', sha256, bytes }, nowMs)
      }
      statements.markStored.run({ file: row.id, replicas: JSON.stringify(replicaNames), nowMs })
      const became = { bytes, sha256, job: jobId, replicas: holders }
      trail.append({ who: 'recovery', what: 'recover', subject: name, became }, nowMs)
    })
    onChange()
  }

  return {
    store: storeOne,
    adopt,
    inTurn,
    async resume(signal: AbortSignal): Promise<void> {
      for (const replica of replicas) await removeLeftovers(replica)
      for (const { name } of statements.unfinished.all({ replicas: JSON.stringify(replicaNames) }))
        await finish(name, signal)
    },
  }
}

/** Acts on the same name come one after the other. */
function turns(): <T>(name: string, act: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>()
  return async (name, act) => {
    // How the one before ended is told to whoever asked for it.
    const mine = (last.get(name) ?? Promise.resolve()).then(act, act)
    last.set(name, mine)
    try {
      return await mine
    } finally {
      if (last.get(name) === mine) last.delete(name)
    }
  }
}

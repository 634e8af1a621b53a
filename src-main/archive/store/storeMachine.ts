/** State machine that stores one file in all its replicas, as a pure function: state × message → state, effects. The caller, which has
 *  the replicas and the database, carries out the effects and returns their results as messages (`uploadSessions.ts`).
 *
 *  Invariants, for messages in any order: a copy is completed only by a matching checksum read after the last write; a completed copy
 *  stays completed; a different file under the name is never overwritten; nothing is written again before its checksum was requested;
 *  every store gets exactly one answer; `notStored` is not answered while a copy is in progress. The transitions are those of
 *  `uploadStates`, which the database enforces too. */
import { message, type Message } from '../../contract/words/message.ts'
import { uploadOutcome, type UploadOutcome } from '../../contract/states/uploadStates.ts'
import { uploadStates } from '../../contract/states/states.ts'
import type { ArchiveFaultCode } from '../files/archiveFault.ts'
import type { UploadState } from '../copies/archive.sql.ts'

export type UploadEvent = (typeof uploadStates.moves)[number]['event']

/** Reason of a failed step, with the code of the fault. */
export interface Problem {
  code: ArchiveFaultCode
  message: Message
}

/** State of the upload to one replica. */
export interface CopyUpload {
  /** Upload state of the copy; undefined when no upload was attempted. */
  state: UploadState | undefined
  /** The request sent to the replica and not yet answered. Not kept in the database: after a crash no request is pending. */
  awaits: { kind: 'upload' | 'checksum'; message: number } | undefined
  /** Number of writes since the last answer. */
  uploads: number
  problem: Problem | undefined
}

/** State of the machine: one file with its copies. */
export interface FileUpload {
  /** Checksum of the file as registered. */
  sha256: string
  copies: ReadonlyMap<string, CopyUpload>
  /** Numbers of the stores that have not been answered yet. */
  owed: readonly number[]
  /** Whether a source of the bytes is known. */
  hasSource: boolean
  /** Number of the next request to a replica. */
  nextMessage: number
}

/** Input of the machine. */
export type StoreMessage =
  | { kind: 'store'; store: number; sha256: string }
  /** Continues an interrupted upload after a crash; no store waits for its answer. */
  | { kind: 'resume'; hasSource: boolean }
  /** The caller of this store no longer waits. */
  | { kind: 'withdraw'; store: number }
  | { kind: 'uploadReply'; replica: string; message: number; came: UploadReply }
  | { kind: 'checksumReply'; replica: string; message: number; came: ChecksumReply }

/** Result of an upload. `occupied`: an unknown file already exists under the name. */
export type UploadReply =
  | { kind: 'written' }
  | { kind: 'occupied'; message: Message }
  | { kind: 'refused'; problem: Problem }
/** Result of a checksum request. `empty`: it is certain that no file exists under the name. */
export type ChecksumReply = { kind: 'found'; sha256: string } | { kind: 'empty' } | { kind: 'failed'; problem: Problem }

/** Action that the caller must carry out. */
export type Effect =
  /** Inserts the row of the copy in the initial state of the table. */
  | { kind: 'begin'; replica: string }
  | { kind: 'move'; replica: string; event: UploadEvent; problem: Problem | undefined }
  | { kind: 'upload'; replica: string; message: number }
  | { kind: 'askChecksum'; replica: string; message: number }
  /** Every replica has completed its copy. */
  | { kind: 'stored' }
  | { kind: 'answer'; store: number; answer: Answer }

/** Answer to one store. */
export type Answer =
  | { kind: 'stored' }
  | { kind: 'notStored'; problems: (Problem & { replica: string })[] }
  /** Another file is registered under the name. */
  | { kind: 'otherFile' }

export interface StoreRules {
  /** Maximum number of writes after the first one, for each answer. */
  uploadRetries: number
}

interface Turn {
  file: FileUpload
  effects: Effect[]
}

/** Initial state of the machine for a file, from the states in the database. */
export function newlyKnown(
  sha256: string,
  replicas: readonly string[],
  stateOf: (replica: string) => UploadState | undefined,
): FileUpload {
  const copies = replicas.map((replica): [string, CopyUpload] => [replica, { ...untried, state: stateOf(replica) }])
  return { sha256, copies: new Map(copies), owed: [], hasSource: false, nextMessage: 1 }
}

const untried: CopyUpload = { state: undefined, awaits: undefined, uploads: 0, problem: undefined }

/** Applies one message. Returns the new state and the effects, in the order in which they are carried out. */
export function step(file: FileUpload, message: StoreMessage, rules: StoreRules): Turn {
  switch (message.kind) {
    case 'store':
      return onStore(file, message)
    case 'resume':
      return settled(
        queued({ ...file, hasSource: file.hasSource || message.hasSource }, (copy) => isOutcome(copy, 'unknown')),
      )
    case 'withdraw':
      return { file: { ...file, owed: file.owed.filter((store) => store !== message.store) }, effects: [] }
    case 'uploadReply':
    case 'checksumReply':
      return onReply(file, message, rules)
  }
}

/** Adds a store. A store with a different checksum is answered at once and changes neither the copies nor the pending stores. */
function onStore(file: FileUpload, { store, sha256 }: StoreMessage & { kind: 'store' }): Turn {
  if (sha256 !== file.sha256) return { file, effects: [{ kind: 'answer', store, answer: { kind: 'otherFile' } }] }
  return settled(queued({ ...file, hasSource: true, owed: [...file.owed, store] }, () => true))
}

/** Starts or continues each chosen copy that has no pending request and is not completed. */
function queued(file: FileUpload, isChosen: (copy: CopyUpload) => boolean): Turn {
  let turn: Turn = { file, effects: [] }
  for (const [replica, copy] of file.copies) {
    if (copy.awaits || isOutcome(copy, 'stored') || !isChosen(copy)) continue
    if (copy.state === undefined) turn = uploading(begun(turn, replica), replica)
    else turn = asking(isOutcome(copy, 'failed') ? moved(turn, replica, 'retried') : turn, replica)
  }
  return turn
}

function onReply(
  file: FileUpload,
  reply: StoreMessage & { kind: 'uploadReply' | 'checksumReply' },
  rules: StoreRules,
): Turn {
  const { replica, message } = reply
  const awaited = file.copies.get(replica)?.awaits
  // A reply that is not expected (a duplicate, or one from before a crash) changes nothing.
  if (awaited?.message !== message || `${awaited.kind}Reply` !== reply.kind) return { file, effects: [] }
  const received = { file: withCopy(file, replica, { awaits: undefined }), effects: [] }
  return settled(
    reply.kind === 'uploadReply'
      ? onUploadReply(received, replica, reply.came)
      : onChecksumReply(received, replica, reply.came, rules),
  )
}

function onUploadReply(turn: Turn, replica: string, came: UploadReply): Turn {
  if (came.kind === 'written') return asking(moved(turn, replica, 'copied'), replica)
  // The existing file may be the right one: an older database does not know about later stores.
  if (came.kind === 'occupied') return asking(moved(turn, replica, 'occupied'), replica)
  return moved(turn, replica, 'refused', came.problem)
}

function onChecksumReply(turn: Turn, replica: string, came: ChecksumReply, { uploadRetries }: StoreRules): Turn {
  const { sha256, copies, hasSource } = turn.file
  if (came.kind === 'failed') return moved(turn, replica, 'checksumFails', came.problem)
  if (came.kind === 'found') {
    if (came.sha256 === sha256) return moved(turn, replica, 'checksumAgrees')
    const taken = message('store.nameTaken', { found: came.sha256, expected: sha256 })
    return moved(turn, replica, 'checksumFails', { code: 'refused', message: taken })
  }
  const uploads = copies.get(replica)?.uploads ?? 0
  if (!hasSource)
    return moved(turn, replica, 'checksumFails', {
      code: 'notFound',
      message: message('store.interrupted'),
    })
  if (uploads > uploadRetries)
    return moved(turn, replica, 'checksumFails', { code: 'refused', message: message('store.vanished') })
  return uploading(moved(turn, replica, 'checksumEmpty'), replica)
}

/** Answers all pending stores once no copy is in progress. */
function settled({ file, effects }: Turn): Turn {
  const copies = [...file.copies]
  const isStored = copies.every(([, copy]) => isOutcome(copy, 'stored'))
  if (!isStored && copies.some(([, copy]) => copy.awaits !== undefined || isOutcome(copy, 'unknown')))
    return { file, effects }
  const answer: Answer = isStored ? { kind: 'stored' } : { kind: 'notStored', problems: copies.flatMap(problemOf) }
  return {
    file: {
      ...file,
      owed: [],
      copies: new Map(copies.map(([replica, copy]) => [replica, { ...copy, uploads: 0 }])),
    },
    effects: [
      ...effects,
      ...(isStored ? [{ kind: 'stored' } as const] : []),
      ...file.owed.map((store) => ({ kind: 'answer', store, answer }) as const),
    ],
  }
}

function problemOf([replica, copy]: readonly [string, CopyUpload]): (Problem & { replica: string })[] {
  if (isOutcome(copy, 'stored')) return []
  return [{ replica, ...(copy.problem ?? { code: 'refused', message: message('store.notTried') }) }]
}

/** Whether the upload was tried and this is what is known about its outcome. */
function isOutcome({ state }: CopyUpload, outcome: UploadOutcome): boolean {
  return state !== undefined && uploadOutcome(state) === outcome
}

function begun({ file, effects }: Turn, replica: string): Turn {
  return {
    file: withCopy(file, replica, { state: uploadStates.initial, problem: undefined }),
    effects: [...effects, { kind: 'begin', replica }],
  }
}

function moved({ file, effects }: Turn, replica: string, event: UploadEvent, problem?: Problem): Turn {
  const from = file.copies.get(replica)?.state
  const state = from && uploadStates.next(from, event)
  if (state === undefined) throw new Error(`a copy in ${from ?? 'no state'} cannot take ${event}`)
  return {
    file: withCopy(file, replica, { state, problem }),
    effects: [...effects, { kind: 'move', replica, event, problem }],
  }
}

function uploading({ file, effects }: Turn, replica: string): Turn {
  const message = file.nextMessage
  const uploads = (file.copies.get(replica)?.uploads ?? 0) + 1
  return {
    file: { ...withCopy(file, replica, { awaits: { kind: 'upload', message }, uploads }), nextMessage: message + 1 },
    effects: [...effects, { kind: 'upload', replica, message }],
  }
}

function asking({ file, effects }: Turn, replica: string): Turn {
  const message = file.nextMessage
  return {
    file: { ...withCopy(file, replica, { awaits: { kind: 'checksum', message } }), nextMessage: message + 1 },
    effects: [...effects, { kind: 'askChecksum', replica, message }],
  }
}

function withCopy(file: FileUpload, replica: string, change: Partial<CopyUpload>): FileUpload {
  const copy = { ...(file.copies.get(replica) ?? untried), ...change }
  return { ...file, copies: new Map(file.copies).set(replica, copy) }
}

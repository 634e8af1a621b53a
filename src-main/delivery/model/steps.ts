/** What a plan is made of: kinds of scanners, processors and destinations, and what each declares about its effects. */
import type { z } from 'zod'
import type { Guarantee, StepEffect } from '../../contract/services/deliveryPlan.ts'
import type { OutputNoticeKind } from '../../contract/states/outputStates.ts'
import type { WholeSelection } from '../../contract/shapes/selection.ts'
import type { Message } from '../../contract/words/message.ts'
import type { Store } from '../../storage/storage.ts'
import type { ReadableFile, World } from '../../world/world.ts'
import type { Document, ScannedDocument } from './document.ts'

/** What steps work with. */
export interface StepEnvironment {
  store: Store
  world: World
  /** Opens a file of the archive, or a working file of the job that is not archived yet; undefined where there is none. The caller closes
   *  it. */
  openFile(name: string, job: number | null): Promise<ReadableFile | undefined>
  /** `<archive>/indexes`. */
  indexesFolder: string
  /** Names of the archived files of a selection, in their order. */
  filesOf(selection: WholeSelection): Promise<string[]>
}

/** Finds documents. */
export interface Scanner {
  /** Yields all documents. Ids do not repeat. Rejects with `StepFault` or a fault of `world`. */
  scan(signal: AbortSignal): AsyncIterable<ScannedDocument>
  /** Finds one document again; undefined where it is gone. */
  find(id: string, signal: AbortSignal): Promise<Document | undefined>
}

/** What a processor makes of a document. */
export type Processed =
  | { kind: 'document'; document: Document }
  /** It becomes these parts, and is delivered when all of them are. */
  | { kind: 'parts'; parts: readonly Document[] }
  | { kind: 'dropped'; why: Message }

/** Changes, splits or drops documents. What it throws is an error of the document; `StepFault` says whether it lasts. */
export interface Processor {
  process(document: Document, signal: AbortSignal): Promise<Processed> | Processed
}

/** What a destination made of one document. */
export type SendResult = { isAccepted: true } | { isAccepted: false; problem: Message; isLasting: boolean }

/** The end of a run, or of a job that was deleted, after its documents. */
export interface JobEnd {
  job: number
  kind: OutputNoticeKind
}

/** Takes documents. */
export interface Destination {
  /** Sends the documents in one request, and returns a result for each. Removals are among them; what is not there counts as removed. Rejects
   *  with `StepFault` where the request failed as a whole. */
  send(documents: readonly Document[], signal: AbortSignal): Promise<readonly SendResult[]>
  /** Makes what was sent visible. Rejects as `send` does. Absent: there is nothing to do. */
  completed?(end: JobEnd, signal: AbortSignal): Promise<void>
  /** Whether it can be used now; sends nothing. Rejects as `send` does. */
  check?(signal: AbortSignal): Promise<void>
}

/** Why a request failed as a whole. `notSent`: nothing has left. `unknown`: it may have been accepted, such as after a timeout. `refused`:
 *  the other side has refused it. `document`: one of its documents may be the cause. */
export type RequestFailure = 'notSent' | 'unknown' | 'refused' | 'document'

/** An error that a step anticipates. */
export class StepFault extends Error {
  readonly problem: Message
  /** Whether another attempt with the same document would fail too. */
  readonly isLasting: boolean
  /** For requests of destinations. */
  readonly failure: RequestFailure
  constructor(
    problem: Message,
    {
      isLasting = false,
      failure = 'unknown',
      cause,
    }: { isLasting?: boolean; failure?: RequestFailure; cause?: unknown } = {},
  ) {
    super(problem.code, { cause })
    this.name = 'StepFault'
    this.problem = problem
    this.isLasting = isLasting
    this.failure = failure
  }
}

/** What a kind of step declares. */
export interface KindFacts {
  effect: StepEffect
  /** Whether the document that goes on differs from the one that came; false: it goes on unchanged or not at all. */
  isMutating: boolean
  settings: z.ZodType
}

export interface ScannerKind extends KindFacts {
  role: 'scanner'
  open(settings: unknown, environment: StepEnvironment): Scanner
}
export interface ProcessorKind extends KindFacts {
  role: 'processor'
  open(settings: unknown, environment: StepEnvironment): Processor
}
export interface DestinationKind extends KindFacts {
  role: 'destination'
  effect: Exclude<StepEffect, 'safe'>
  /** Used where the step does not say. */
  guarantee: Guarantee
  /** Documents in a request; 1: it takes one at a time, and several requests run at once. */
  batchMax: number
  /** Requests at once. Absent: `requestsMax` where it takes one document at a time, otherwise one. */
  requestsMax?: number
  open(settings: unknown, environment: StepEnvironment): Destination
}
export type StepKind = ScannerKind | ProcessorKind | DestinationKind

/** All kinds by the name under which plans have them. */
export type StepKinds = Readonly<Record<string, StepKind>>

type Opening<Settings extends z.ZodType, Opened> = {
  settings: Settings
  open(settings: z.output<Settings>, environment: StepEnvironment): Opened
}

/** Declares a kind of scanner: it has no effect. */
export function scannerKind<Settings extends z.ZodType>({ settings, open }: Opening<Settings, Scanner>): ScannerKind {
  return { role: 'scanner', effect: 'safe', isMutating: false, settings, open: checked(settings, open) }
}

/** Declares a kind of processor: it has no effect outside of the plan. What has one is a destination, which may have steps after it. */
export function processorKind<Settings extends z.ZodType>({
  settings,
  open,
  isMutating,
}: Opening<Settings, Processor> & Pick<KindFacts, 'isMutating'>): ProcessorKind {
  return { role: 'processor', effect: 'safe', isMutating, settings, open: checked(settings, open) }
}

/** Declares a kind of destination. */
export function destinationKind<Settings extends z.ZodType>({
  settings,
  open,
  ...facts
}: Opening<Settings, Destination> &
  Pick<KindFacts, 'isMutating'> &
  Pick<DestinationKind, 'effect' | 'guarantee' | 'batchMax'>): DestinationKind {
  return { role: 'destination', ...facts, settings, open: checked(settings, open) }
}

function checked<Settings extends z.ZodType, Opened>(
  shape: Settings,
  open: (settings: z.output<Settings>, environment: StepEnvironment) => Opened,
) {
  return (settings: unknown, environment: StepEnvironment) => open(shape.parse(settings), environment)
}

/** Connectors of the user: modules that take documents to a destination that Loupe does not know. They run in the thread of the outputs. */
import { z } from 'zod'
import type { OutputSpecification } from '../../contract/shapes/outputChoice.ts'
import { messageOf } from '../../contract/text/messageOf.ts'
import { message, type Message } from '../../contract/words/message.ts'
import { openModule } from '../../modules/userModule.ts'
import type { World } from '../../world/world.ts'
import { fieldOf, type Document } from '../model/document.ts'
import { StepFault, type Destination, type JobEnd, type SendResult } from '../model/steps.ts'
import type { OpenedOutput } from './openedOutput.ts'

/** What the default export of a module returns. */
export interface UserConnector {
  /** Takes a document, whether it has one of this URL or not. */
  send(document: UserDocument, context: { signal: AbortSignal }): unknown
  /** Removes the document of a URL; does nothing where there is none. */
  remove(url: string, context: { signal: AbortSignal }): unknown
  accepts?(document: { url: string; mediaType?: string; bytes?: number }): unknown
  versionOf?(specification: OutputSpecification): unknown
  jobCompleted?(end: JobEnd, context: { signal: AbortSignal }): unknown
  check?(context: { signal: AbortSignal }): unknown
  close?(): unknown
}

/** A document as a connector gets it. */
interface UserDocument {
  url: string
  mediaType: string | undefined
  fields: Document['fields']
  body: Uint8Array
  /** Whether bytes are missing at the end of the body. */
  isTruncated: boolean
}

const functions = ['send', 'remove'] as const

/** Opens the connector of an output. Returns what is wrong where it cannot be used. `version`: as it was installed. */
export async function openUserConnector(
  { disk }: Pick<World, 'disk'>,
  { path, settings, version }: { path: string; settings: Readonly<Record<string, string>>; version: string },
): Promise<OpenedOutput | { problem: Message }> {
  const opened = await openModule<UserConnector>(disk, path, { settings, functions })
  if ('problem' in opened) return { problem: message('module.unusable', { module: path, problem: opened.problem }) }
  const { part } = opened
  return {
    destination: destinationOf(part),
    batchMax: 1,
    versionOf: (specification) =>
      JSON.stringify([version, part.versionOf ? String(part.versionOf(specification)) : [settings, specification]]),
    takes: ({ url, mediaType, bytes }) =>
      part.accepts === undefined ||
      answered(
        z.boolean(),
        part.accepts({ url, ...(mediaType !== undefined && { mediaType }), ...(bytes !== undefined && { bytes }) }),
      ),
    async close() {
      try {
        await part.close?.()
      } catch {
        // What it was sent is settled, and the module cannot be told.
      }
    },
  }
}

function destinationOf(part: UserConnector): Destination {
  async function sendOne(document: Document, signal: AbortSignal): Promise<SendResult> {
    const { id: url, fields, content, isRemoval } = document
    // What reading throws is no fault of the module.
    const { bytes: body, isTruncated } = await content.load()
    try {
      if (isRemoval) await part.remove(url, { signal })
      else await part.send({ url, mediaType: fieldOf(document, 'mediaType'), fields, body, isTruncated }, { signal })
      return { isAccepted: true }
    } catch (error) {
      // Whatever the module throws; `lasting` says that it would do so again.
      const isLasting = error instanceof Error && 'lasting' in error && error.lasting === true
      return { isAccepted: false, problem: message('delivery.thrown', { problem: messageOf(error) }), isLasting }
    }
  }

  async function call(act: () => unknown): Promise<void> {
    try {
      await act()
    } catch (error) {
      throw new StepFault(message('delivery.thrown', { problem: messageOf(error) }), { cause: error })
    }
  }

  return {
    send: (documents, signal) => Promise.all(documents.map((document) => sendOne(document, signal))),
    ...(part.jobCompleted && {
      completed: (end: JobEnd, signal: AbortSignal) => call(() => part.jobCompleted?.(end, { signal })),
    }),
    ...(part.check && { check: (signal: AbortSignal) => call(() => part.check?.({ signal })) }),
  }
}

function answered<Value>(shape: z.ZodType<Value>, value: unknown): Value {
  const read = shape.safeParse(value)
  if (read.success) return read.data
  const problem = read.error.issues[0]?.message ?? ''
  throw new StepFault(message('outputConnector.result', { problem }))
}

/** The text index of this archive: `loupe search` finds documents while their job runs. A batch is one transaction of the index, so that
 *  sending it again changes nothing. */
import { join } from 'node:path'
import { z } from 'zod'
import { message } from '../../contract/words/message.ts'
import { parseTimestamp } from '../../formats/cdx/timestamp.ts'
import { languageTag, withoutText } from '../../formats/text/extracted.ts'
import { essenceOf, isRedirect, payloadDigest, readDocument } from '../../indexes/text/build/archivedDocuments.ts'
import { documentReader } from '../../indexes/text/reading/documentReader.ts'
import { openTextStore, textIndexPath } from '../../indexes/text/store/textStore.ts'
import {
  contentKey,
  textWriter,
  type TextCapture,
  type TextDocument,
  type TextWriter,
} from '../../indexes/text/store/textWriter.ts'
import { fieldOf, type Document } from '../model/document.ts'
import { destinationKind, StepFault, type SendResult } from '../model/steps.ts'

export const textIndex = destinationKind({
  ...{ effect: 'idempotent', isMutating: false, guarantee: 'atLeastOnce', batchMax: 200 },
  settings: z.strictObject({}),
  open: (_, { world, indexesFolder }) => {
    const reader = documentReader(world)
    let writer: TextWriter | undefined

    async function opened(): Promise<TextWriter> {
      const path = textIndexPath(indexesFolder)
      await world.disk.makeFolder(join(indexesFolder, 'text'))
      // What was sent is not sent again after a power cut. A build reads its files again from where the index stands.
      return textWriter(openTextStore(path, { isSynced: true }))
    }

    async function read(document: Document, has: TextWriter['has']): Promise<TextDocument | undefined> {
      const capture = captureOf(document)
      if (isRedirect(capture.status)) return undefined
      if (document.parentId !== undefined) return partDocument(document, capture)
      const { bytes, charset } = await document.content.load()
      const source = { url: capture.url, mediaType: fieldOf(document, 'mediaType') ?? '', charset, body: bytes }
      const digest = fieldOf(document, 'payloadDigest') ?? payloadDigest(bytes)
      return readDocument(capture, { source, digest }, { reader, has })
    }

    return {
      async send(documents) {
        writer ??= await opened()
        const found: TextDocument[] = []
        const results: SendResult[] = []
        for (const document of documents) {
          try {
            const one = await read(document, writer.has)
            if (one) found.push(one)
            results.push({ isAccepted: true })
          } catch (error) {
            // One document that cannot be read must not hold up the others.
            if (!(error instanceof StepFault)) throw error
            results.push({ isAccepted: false, problem: error.problem, isLasting: error.isLasting })
          }
        }
        writer.write(found)
        return results
      },
    }
  },
})

/** Returns the capture that a document is, or is a part of. Throws `StepFault` where its fields do not say which. */
function captureOf(document: Document): TextCapture {
  const url = fieldOf(document, 'url')
  const capturedMs = parseTimestamp(fieldOf(document, 'time') ?? '')
  if (url === undefined || capturedMs === undefined)
    throw new StepFault(message('delivery.textIndex.noCapture'), { isLasting: true })
  return {
    ...{ url, capturedMs },
    job: Number(fieldOf(document, 'job') ?? 0),
    part: document.id.slice(document.originalId.length),
    status: Number(fieldOf(document, 'status') ?? 0),
    mediaType: essenceOf(fieldOf(document, 'mediaType') ?? ''),
    file: fieldOf(document, 'file') ?? '',
    offset: Number(fieldOf(document, 'offset') ?? 0),
  }
}

/** A part has its text in fields. */
function partDocument(part: Document, capture: TextCapture): TextDocument {
  const all = (name: string) => (part.fields[name] ?? []).join('\n')
  const text = { title: all('title'), description: all('description'), text: all('text') }
  const digest = payloadDigest(Buffer.from(JSON.stringify(text)))
  return {
    ...capture,
    key: contentKey({ digest, mediaType: capture.mediaType, charset: undefined }),
    text: { ...withoutText(), ...text, language: languageTag(fieldOf(part, 'language')) },
  }
}

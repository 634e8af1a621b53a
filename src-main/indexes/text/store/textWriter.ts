/** Writes documents into the text index: a batch is one transaction, with the position in the file that it came from, so that a kill loses
 *  nothing and nothing is counted twice. The index depends on which documents it has, and not on their order. */
import { hash } from 'node:crypto'
import { extractionVersion, type ExtractedText } from '../../../formats/text/extracted.ts'
import type { Store } from '../../../storage/storage.ts'
import { searchable } from '../words/searchable.ts'
import { packText } from './packedText.ts'
import { textWriteStatements, type FileRow, type StoredCapture, type StoredText } from './textIndex.sql.ts'

/** A capture, and where its record is. */
export interface TextCapture {
  /** 0: of no job. */
  job: number
  url: string
  capturedMs: number
  /** Names the part where the document was split; '': the whole. */
  part: string
  /** 0: not known. */
  status: number
  /** Media type without parameters, in lower case. */
  mediaType: string
  file: string
  offset: number
}

/** A document for the index. */
export interface TextDocument extends TextCapture {
  /** As `contentKey` gives it. */
  key: string
  /** Undefined: the content is known, or it is that of a revisit whose original may come later. */
  text: ExtractedText | undefined
}

/** Returns the key of a content: documents with the same key have the same text. */
export function contentKey({ digest, mediaType, charset }: ContentFacts): string {
  return `${digest} ${mediaType} ${charset?.toLowerCase() ?? ''}`.trimEnd()
}

interface ContentFacts {
  digest: string
  mediaType: string
  charset: string | undefined
}

/** Writes into an index. */
export interface TextWriter {
  /** Whether the index has the content as it would be read now. */
  has(key: string): boolean
  /** Adds documents, or replaces them. `file`: how far the archive file that they come from has been read. */
  write(documents: readonly TextDocument[], file?: FileRow): void
}

/** Labels that are remembered by a writer. */
const labelsMax = 10_000

export function textWriter(store: Store): TextWriter {
  const sql = textWriteStatements(store)
  const labels = new Map<string, number>()
  /** Contents of the batch whose words come last: FTS5 writes all words that it holds as a segment of its own before a statement that changes
   *  several rows or returns some. A segment per document took three times as long. */
  const wordsToAdd = new Map<number, ExtractedText>()
  /** Whether any capture may be waiting for its content (column `awaited`). */
  let isAwaited = false

  function labelOf(text: string): number {
    const known = labels.get(text)
    if (known !== undefined) return known
    const id = (sql.label.get({ text }) ?? sql.addLabel.get({ text }))?.id
    if (id === undefined) throw new Error('a label was not stored')
    if (labels.size >= labelsMax) labels.clear()
    labels.set(text, id)
    return id
  }

  /** Returns the content with this text, and adds it, or replaces it where it was read by an earlier version. */
  function contentOf(key: string, text: ExtractedText | undefined): number | undefined {
    const found = sql.content.get({ key })
    if (!text || found?.extraction === extractionVersion) return found?.id
    const language = labelOf(text.language)
    if (found) {
      // Captures keep referring to the key: the new content takes the place of the old one.
      sql.removeWords.run({ id: found.id })
      sql.replaceContent.run({ id: found.id, ...storedText(text) })
      wordsToAdd.set(found.id, text)
      sql.relabel.run({ content: found.id, language })
      return found.id
    }
    const id = sql.addContent.get({ key, ...storedText(text) })?.id
    if (id === undefined) throw new Error('a content was not stored')
    wordsToAdd.set(id, text)
    if (isAwaited) sql.attach.run({ key, content: id, language })
    return id
  }

  function put({ key, text, ...capture }: TextDocument): void {
    const { job, url, status, file, offset } = capture
    // Some records have the time to the second only, and the database has more of it.
    const capturedMs = Math.floor(capture.capturedMs / 1_000) * 1_000
    const identity = captureKey({ ...capture, capturedMs })
    const before = sql.capture.get({ key: identity })
    if (before && before.contentKey < key) return
    const content = contentOf(key, text)
    isAwaited ||= content === undefined
    if (before?.contentKey === key && isBefore(before, capture)) return
    const language = text?.language ?? (content === undefined ? '' : undefined)
    sql.putCapture.run({
      ...{ key: identity, job, url, capturedMs, status, file, offset },
      ...{ content: content ?? null, awaited: content === undefined ? key : null },
      host: labelOf(hostOf(url)),
      type: labelOf(capture.mediaType),
      language:
        language === undefined ? (sql.languageOf.get({ content: content ?? 0 })?.language ?? 0) : labelOf(language),
      year: new Date(capturedMs).getUTCFullYear(),
    })
    if (before && before.content !== null && before.content !== content) removeUnused(before.content)
  }

  function removeUnused(content: number): void {
    if (sql.removeContent.run({ id: content }) > 0 && !wordsToAdd.delete(content)) sql.removeWords.run({ id: content })
  }

  return {
    has: (key) => sql.content.get({ key })?.extraction === extractionVersion,
    write(documents, file) {
      try {
        store.transaction(() => {
          isAwaited = sql.anyAwaiting.get({}) !== undefined
          for (const document of documents) put(document)
          for (const [id, text] of wordsToAdd) sql.addWords.run({ id, ...wordsOf(text) })
          if (file) sql.putFile.run(file)
        })
      } catch (error) {
        // Those of a transaction that failed are not in the table.
        labels.clear()
        throw error
      } finally {
        wordsToAdd.clear()
      }
    },
  }
}

/** Which of two records of one capture counts, whatever their order. */
function isBefore(one: StoredCapture, other: TextCapture): boolean {
  if (one.status !== other.status) return one.status < other.status
  return one.file === other.file ? one.offset < other.offset : one.file < other.file
}

function storedText({ title, headings: [heading = ''], description, text }: ExtractedText): StoredText {
  return { extraction: extractionVersion, title, heading, description, body: packText(text) }
}

function wordsOf({ title, headings: [heading = '', ...others], description, text }: ExtractedText) {
  return {
    title: searchable(`${title}\n${heading}`),
    headings: searchable(others.join('\n')),
    description: searchable(description),
    text: searchable(text),
  }
}

/** Identifies a capture, however it came into the index. */
function captureKey({
  job,
  url,
  capturedMs,
  part,
}: Pick<TextCapture, 'job' | 'url' | 'capturedMs' | 'part'>): Uint8Array {
  return hash('sha256', JSON.stringify([job, url, capturedMs, part]), 'buffer').subarray(0, 16)
}

/** Returns the host name of a URL without `www.`, which is not told apart from the domain; empty for a URL without a host. */
function hostOf(url: string): string {
  return (URL.parse(url)?.hostname ?? '').replace(/^www\./, '')
}

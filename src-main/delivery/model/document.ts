/** Documents on their way through a plan. They are never changed: a step makes a new one, so that copies for several branches need no
 *  copying. */
import { createHash } from 'node:crypto'

/** Fields of a document: each has one or more values. */
export type Fields = Readonly<Record<string, readonly string[]>>

/** The content of a document, cut at `contentBytesMax`. */
export interface LoadedContent {
  bytes: Uint8Array
  /** As the archived head declares it. */
  charset?: string | undefined
  /** Whether bytes are missing at the end. */
  isTruncated: boolean
}

/** The raw content, read when a step first asks for it. */
export interface Content {
  /** Bytes of it that are in memory. */
  readonly heldBytes: number
  /** Reads at most `contentBytesMax` bytes, once. Rejects as the source does. */
  load(): Promise<LoadedContent>
}

/** A document, or a part that a step made of one. */
export interface Document {
  /** Identifies it for its scanner over time; of a part: `id⇛number` of the document that it is a part of. */
  readonly id: string
  readonly parentId: string | undefined
  /** Id of the scanned document above it, or its own. */
  readonly originalId: string
  /** Differs when the content does. */
  readonly hash: string
  readonly fields: Fields
  readonly content: Content
  /** Whether the destination has to remove what it has under this id. A removal goes past processors: there is nothing to process. */
  readonly isRemoval?: true
}

/** A document as its scanner yields it. */
export interface ScannedDocument extends Document {
  /** Called in the transaction that stores its hash and its first statuses; `row`: its row. */
  readonly onAdmitted?: (row: number) => void
}

/** Bytes of content that steps get; longer content is cut. */
export const contentBytesMax = 16 * 1024 * 1024

/** Stands between the id of a document and the number of a part of it, as JesterJ has it (U+21DB). */
const partSign = '⇛'

/** Makes content that `load` reads once. */
export function contentFrom(load: () => Promise<LoadedContent>): Content {
  let loading: Promise<LoadedContent> | undefined
  let heldBytes = 0
  return {
    get heldBytes() {
      return heldBytes
    },
    async load() {
      loading ??= load()
      const loaded = await loading
      heldBytes = loaded.bytes.length
      return loaded
    },
  }
}

/** Makes content of bytes in memory. */
export function contentOf(bytes: Uint8Array): Content {
  const loaded = { bytes, isTruncated: false }
  return { heldBytes: bytes.length, load: () => Promise.resolve(loaded) }
}

/** Makes a scanned document. */
export function scannedDocument({
  id,
  hash,
  fields,
  content,
}: Pick<Document, 'id' | 'hash' | 'fields' | 'content'>): Document {
  return { id, hash, fields, content, parentId: undefined, originalId: id }
}

/** Makes the removal of a scanned document. */
export function removalOf(id: string, hash: string): Document {
  return { ...scannedDocument({ id, hash, fields: {}, content: contentOf(new Uint8Array(0)) }), isRemoval: true }
}

/** Returns the document with these fields set. A field without values is removed. */
export function withFields<Of extends Document>(document: Of, fields: Fields): Of {
  const all = Object.entries({ ...document.fields, ...fields }).filter(([, values]) => values.length > 0)
  return { ...document, fields: Object.fromEntries(all) }
}

/** Returns the first value of a field. */
export function fieldOf({ fields }: Pick<Document, 'fields'>, name: string): string | undefined {
  return Object.hasOwn(fields, name) ? fields[name]?.[0] : undefined
}

/** Makes a part of a document. Equal content of the parent gives equal parts: the id depends on the number only, and the hash on the id of
 *  the original, the hash of the parent, and the number. */
export function partOf(parent: Document, number: number, part: Pick<Document, 'fields' | 'content'>): Document {
  const { originalId } = parent
  const hash = createHash('sha256')
    .update(JSON.stringify([originalId, parent.hash, number]))
    .digest('hex')
  return { ...part, hash, originalId, id: `${parent.id}${partSign}${number}`, parentId: parent.id }
}

/** Returns the bytes of memory that a document takes, approximately. */
export function heldBytesOf({ fields, content }: Document): number {
  let bytes = content.heldBytes
  for (const values of Object.values(fields)) for (const value of values) bytes += value.length
  return bytes
}

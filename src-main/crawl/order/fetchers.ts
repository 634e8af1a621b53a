/** The documents of an ordered run that fetchers are working on. */
import type { ReadyDocument } from '../frontier/readyDocuments.ts'

/** Documents at work; more than one fetcher may have the same. */
export interface Fetchers {
  countOf(document: number): number
  readyOf(document: number): ReadyDocument | undefined
  /** Whether an answer has come, and others are still to come. */
  isAnswered(document: number): boolean
  answered(document: number): void
  /** Notes that a fetcher got no result. Returns whether another one is still fetching the document. */
  failed(document: number): boolean
  /** The function returned notes the end. */
  begin(ready: ReadyDocument): () => void
}

/** Opens the list. */
export function fetchersAtWork(): Fetchers {
  const byDocument = new Map<number, { ready: ReadyDocument; count: number; waitedFor: number; isAnswered: boolean }>()
  return {
    countOf: (document) => byDocument.get(document)?.count ?? 0,
    readyOf: (document) => byDocument.get(document)?.ready,
    isAnswered: (document) => byDocument.get(document)?.isAnswered === true,
    answered(document) {
      const work = byDocument.get(document)
      if (work) work.isAnswered = true
    },
    failed(document) {
      const work = byDocument.get(document)
      if (!work) return false
      // The turn of this fetcher ends a little later than its answer comes.
      work.waitedFor -= 1
      return work.waitedFor > 0
    },
    begin(ready) {
      const { id } = ready.document
      const work = byDocument.get(id) ?? { ready, count: 0, waitedFor: 0, isAnswered: false }
      work.count += 1
      work.waitedFor += 1
      byDocument.set(id, work)
      return () => {
        work.count -= 1
        if (work.count === 0) byDocument.delete(id)
      }
    },
  }
}

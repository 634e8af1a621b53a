/** What is in memory: which documents are on their way to which destinations, and how many may be. */
import { bytesOnTheWayMax, documentsOnTheWayMax } from '../model/limits.ts'
import type { Document } from '../model/document.ts'

/** Documents on their way, by scanned document and destination. Parts count for the document that was scanned. */
export function onTheWay() {
  const copies = new Map<string, number>()
  const keyOf = (original: number, destination: number) => `${original} ${destination}`
  return {
    add(original: number, destinations: Iterable<number>): void {
      for (const destination of destinations) {
        const key = keyOf(original, destination)
        copies.set(key, (copies.get(key) ?? 0) + 1)
      }
    },
    remove(original: number, destinations: Iterable<number>): void {
      for (const destination of destinations) {
        const key = keyOf(original, destination)
        const left = (copies.get(key) ?? 0) - 1
        if (left > 0) copies.set(key, left)
        else copies.delete(key)
      }
    },
    has: (original: number, destination: number): boolean => copies.has(keyOf(original, destination)),
    get isEmpty(): boolean {
      return copies.size === 0
    },
  }
}

/** A document that has passed the gate. */
export interface Entered {
  /** Counts the bytes of its content until it leaves. */
  hold(document: Pick<Document, 'content'>): void
  leave(): void
}

/** A bound for documents that are processed at once. */
export interface Gate {
  /** Resolves when one more document may be processed. */
  enter(): Promise<Entered>
  readonly isEmpty: boolean
}

/** Makes a gate for `documentsOnTheWayMax` documents with `bytesOnTheWayMax` bytes of content. */
export function gate(): Gate {
  const entered = new Set<{ document: Pick<Document, 'content'> | undefined }>()
  const waiting: (() => void)[] = []

  function isFull(): boolean {
    if (entered.size === 0) return false
    if (entered.size >= documentsOnTheWayMax) return true
    let bytes = 0
    for (const { document } of entered) bytes += document?.content.heldBytes ?? 0
    return bytes >= bytesOnTheWayMax
  }

  return {
    async enter() {
      while (isFull()) await new Promise<void>((resolve) => void waiting.push(resolve))
      const place: { document: Pick<Document, 'content'> | undefined } = { document: undefined }
      entered.add(place)
      return {
        hold: (document) => void (place.document = document),
        leave() {
          entered.delete(place)
          waiting.shift()?.()
        },
      }
    },
    get isEmpty() {
      return entered.size === 0
    },
  }
}

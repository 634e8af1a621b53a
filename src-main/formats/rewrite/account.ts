/** Records what happens while a file is rewritten: the number of records, their digest, and what was left out or
 *  changed, with reasons. It is filled while the output is consumed, and complete at its end. */
import type { Message } from '../../contract/words/message.ts'
import type { Finding } from '../rules/finding.ts'
import { digester } from '../bytes/digest.ts'

/** A part of the source that was not written. */
export interface LeftOut {
  from: number
  /** Offset of the first byte after it; null when it extends to the end of the file or the end is unknown. */
  to: number | null
  rule: string
  /** Why: one sentence. */
  message: Message
}

/** A record that was written differently. */
export interface Changed {
  from: number
  /** WARC-Record-ID, or the URL when there is none. */
  record: string
  rules: string[]
  /** How the new record differs: one sentence for each change. */
  messages: Message[]
}

/** Maximum number of listed items in each list; further ones are only counted. That is enough to show that a file is
 *  badly damaged. */
const listedMax = 10_000

/** A list with a limited number of items and a count of all of them. */
export class List<T> {
  readonly items: T[] = []
  total = 0

  add(item: T): void {
    this.total++
    if (this.items.length < listedMax) this.items.push(item)
  }

  /** Returns the listed items in another form, with the count of all. */
  map<Other>(form: (item: T) => Other): { total: number; items: Other[] } {
    return { total: this.total, items: this.items.map(form) }
  }
}

/** Account of rewriting one file. */
export class Account {
  /** Number of records in the new file. */
  records = 0
  readonly leftOut = new List<LeftOut>()
  readonly changed = new List<Changed>()
  /** Findings of the reader about the source. */
  readonly findings = new List<Finding>()
  /** Offset up to which the source has been read. */
  position = 0
  #content = digester('sha256')

  /** Passes on one record in its uncompressed form, and counts it. */
  async *counted(record: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    this.records++
    for await (const bytes of record) {
      this.#content.update(bytes)
      yield bytes
    }
  }

  /** Adds findings of the reader. */
  found(findings: readonly Finding[]): void {
    for (const finding of findings) this.findings.add(finding)
  }

  /** Adds a part of the source that is left out. */
  leave(out: LeftOut): void {
    this.leftOut.add(out)
  }

  /** Returns the SHA-256 of all records in their uncompressed form. May be called once, at the end. */
  contentDigest(): string {
    return this.#content.hex()
  }
}

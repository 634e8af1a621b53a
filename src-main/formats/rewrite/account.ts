/** What happened while a file was rewritten: how many records there are, what they digest to, what was left out or changed
 *  and why. It is filled while the bytes are taken, and read when they have all been. */
import type { Finding } from '../rules/finding.ts'
import { digester } from '../bytes/digest.ts'

export interface LeftOut {
  from: number
  /** The first byte after it; null: to the end of the file, or not known. */
  to: number | null
  rule: string
  text: string
}

export interface Changed {
  from: number
  /** WARC-Record-ID, or the URL where there is none. */
  record: string
  rules: string[]
  /** One sentence of what the record is now. */
  text: string
}

/** Of what was left out, changed and found so much is listed; the rest is counted. A file with more damage is known by that. */
const listedMax = 10_000

export class List<T> {
  readonly items: T[] = []
  total = 0

  add(item: T): void {
    this.total++
    if (this.items.length < listedMax) this.items.push(item)
  }
}

export class Account {
  /** Records in the new file. */
  records = 0
  readonly leftOut = new List<LeftOut>()
  readonly changed = new List<Changed>()
  /** What the reader said of the source. */
  readonly findings = new List<Finding>()
  /** How far the source has been read. */
  position = 0
  #content = digester('sha256')

  /** Passes on one record as it stands in a file that is not packed, and counts it. */
  async *counted(record: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    this.records++
    for await (const bytes of record) {
      this.#content.update(bytes)
      yield bytes
    }
  }

  found(findings: readonly Finding[]): void {
    for (const finding of findings) this.findings.add(finding)
  }

  leave(out: LeftOut): void {
    this.leftOut.add(out)
  }

  /** SHA-256 of all records, one after another, without their packing. Once, at the end. */
  contentDigest(): string {
    return this.#content.hex()
  }
}

/** Losses of an export: what was or might have been chosen but could not be written, counted, with the first place of each kind. */
import { message, type Message } from '../../contract/words/message.ts'
import type { Finding } from '../../formats/rules/finding.ts'

/** The losses of an export by kind. */
export class Losses {
  /** Chosen records that are damaged: a new gzip member around them would hide that. */
  damaged = new Places()
  /** Parts of the files in which no record could be found. */
  gaps = new Places()
  /** Chosen records that lack a mandatory header field for which no true value can be given. */
  incomplete = new Places()
  /** Records that were written with a completed header. Nothing of them is lost. */
  completed = new Places()

  gapReporter(file: string): (finding: Finding) => void {
    return ({ severity, offset = 0 }) => {
      // Notes, such as surplus line ends, lose nothing.
      if (severity === 'error') this.gaps.add(file, offset)
    }
  }

  /** Number of losses, not counting completed records. */
  get count(): number {
    return this.damaged.count + this.gaps.count + this.incomplete.count
  }

  /** Describes the losses, and completed records. */
  remarks(): Message[] {
    const { damaged, gaps, incomplete, completed } = this
    const remarks: Message[] = []
    if (damaged.first) remarks.push(message('export.lost.damaged', { count: damaged.count, first: damaged.first }))
    if (gaps.first) remarks.push(message('export.lost.gaps', { count: gaps.count, first: gaps.first }))
    if (incomplete.first)
      remarks.push(message('export.lost.incomplete', { count: incomplete.count, first: incomplete.first }))
    if (completed.first) remarks.push(message('export.completed', { count: completed.count, first: completed.first }))
    return remarks
  }
}

/** Counts places and keeps the first one. */
export class Places {
  count = 0
  /** Undefined while there are none. */
  first: Message | undefined

  add(file: string, offset: number): void {
    this.first ??= message('export.place', { file, offset })
    this.count += 1
  }
}

/** Losses of an export: what was or might have been chosen but could not be written, counted, with the first place of each kind. */
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

  heard(file: string): (finding: Finding) => void {
    return ({ severity, offset = 0 }) => {
      // Notes, such as surplus line ends, lose nothing.
      if (severity === 'error') this.gaps.add(file, offset)
    }
  }

  get count(): number {
    return this.damaged.count + this.gaps.count + this.incomplete.count
  }

  remarks(): string[] {
    const { damaged, gaps, incomplete, completed } = this
    const remarks: string[] = []
    if (damaged.count > 0)
      remarks.push(
        `${several(damaged.count, 'record is', 'records are')} damaged in the archive and not in this export, the first in ${damaged.first}: "loupe check" says what is wrong, "loupe preserve checksums" whether another replica has it whole.`,
      )
    if (gaps.count > 0)
      remarks.push(
        `${several(gaps.count, 'stretch', 'stretches')} of the archive's files could not be read as records, the first in ${gaps.first}: what was there is not in this export.`,
      )
    if (incomplete.count > 0)
      remarks.push(
        `${several(incomplete.count, 'record has', 'records have')} no type or no date that can be read and ${incomplete.count === 1 ? 'is' : 'are'} not in this export, the first in ${incomplete.first}: "loupe check" says what is missing.`,
      )
    if (completed.count > 0)
      remarks.push(
        `${several(completed.count, 'record', 'records')} had a header that other programs may refuse, which was completed for this export, the first in ${completed.first}: "loupe check" says what is wrong with it. The archive itself is unchanged.`,
      )
    return remarks
  }
}

class Places {
  count = 0
  first = ''

  add(file: string, offset: number): void {
    if (this.count === 0) this.first = `${file} at ${offset}`
    this.count += 1
  }
}

export function several(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`
}

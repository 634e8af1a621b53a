/** What could not be written although it was chosen, or might have been: counted, with the first place of each kind. */
import type { Complaint } from '../../formats/complaint.ts'

export class Losses {
  /** Chosen records that are damaged: a new member around them would hide that. */
  damaged = new Places()
  /** Stretches of the files in which no record could be found. */
  gaps = new Places()

  heard(file: string): (complaint: Complaint) => void {
    return ({ severity, offset = 0 }) => {
      // Notes, such as line ends too many, lose nothing.
      if (severity === 'error') this.gaps.add(file, offset)
    }
  }

  get count(): number {
    return this.damaged.count + this.gaps.count
  }

  remarks(): string[] {
    const { damaged, gaps } = this
    const remarks: string[] = []
    if (damaged.count > 0)
      remarks.push(
        `${several(damaged.count, 'record is', 'records are')} damaged in the archive and not in this export, the first in ${damaged.first}: "loupe check" says what is wrong, "loupe preserve checksums" whether another replica has it whole.`,
      )
    if (gaps.count > 0)
      remarks.push(
        `${several(gaps.count, 'stretch', 'stretches')} of the archive's files could not be read as records, the first in ${gaps.first}: what was there is not in this export.`,
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

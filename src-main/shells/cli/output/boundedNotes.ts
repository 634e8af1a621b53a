/**
 * A bounded number of notes of one kind on standard error: a folder of 20,000 files may give one for each, and users read only the first.
 */
import { textOf } from '../../../contract/words/render.ts'
import type { FilesFound } from '../../../files/work/findFiles.ts'
import type { Output } from './output.ts'

const notesMax = 20

export interface BoundedNotes {
  note(text: string): void
  /** Prints how many notes were left out. Must be called once, at the end. */
  end(): void
}

/** Collects notes. `more` follows the count of those that were not printed, as in "3 more files cannot be read." */
export function boundedNotes(output: Pick<Output, 'note'>, more: string): BoundedNotes {
  let count = 0
  return {
    note(text) {
      count += 1
      if (count <= notesMax) output.note(text)
    },
    end() {
      if (count > notesMax) output.note(`${count - notesMax} more ${more}`)
    },
  }
}

/** Prints notes about paths that could not be read, up to the limit. */
export function noteUnread(output: Pick<Output, 'note'>, { unread }: Pick<FilesFound, 'unread'>): void {
  const notes = boundedNotes(output, 'files or folders cannot be read.')
  for (const { path, problem } of unread) notes.note(`${path} cannot be read: ${textOf(problem)}.`)
  notes.end()
}

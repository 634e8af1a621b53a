/**
 * A bounded number of notes of one kind on standard error: a folder of 20,000 files may give one for each, and users read only the first.
 */
import type { FilesFound } from '../../../files/work/findFiles.ts'
import type { Output } from './output.ts'
import { message, type Message } from '../../../contract/words/message.ts'
import { textFor, textOf } from '../../../contract/words/render.ts'

const notesMax = 20

export interface BoundedNotes {
  note(text: string): void
  /** Prints how many notes were left out. Must be called once, at the end. */
  end(): void
}

/** Collects notes. `more` is the note about those that were not printed, given their count. */
export function boundedNotes(output: Pick<Output, 'note'>, more: (count: number) => Message): BoundedNotes {
  let count = 0
  return {
    note(text) {
      count += 1
      if (count <= notesMax) output.note(text)
    },
    end() {
      if (count > notesMax) output.note(textOf(more(count - notesMax)))
    },
  }
}

/** Prints notes about paths that could not be read, up to the limit. */
export function noteUnread(output: Pick<Output, 'note'>, { unread }: Pick<FilesFound, 'unread'>): void {
  const notes = boundedNotes(output, (count) => message('figure.moreUnread', { count }))
  for (const { path, problem } of unread) notes.note(textFor('cli.file.unreadable', { path, problem }))
  notes.end()
}

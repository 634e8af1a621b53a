/** Files whose captures a viewing cannot show: files that could not be added to its index, and files that are in the index but
 *  that no replica provides. Index lines outlive their file, because they are stored separately and in the job's metadata. An
 *  index without such a file would have to be rebuilt when the drive is connected again, so the index keeps it. */
import type { CaptureIndex, MissingFile } from '../../indexes/indexes.ts'
import { filesMissingShownMax } from '../model/limits.ts'

/** The missing files of a view. */
export interface FilesMissing {
  count: number
  /** The first `filesMissingShownMax` of them. */
  first: MissingFile[]
}

/** An empty list. */
export function noFiles(): FilesMissing {
  return { count: 0, first: [] }
}

/** Adds a file to the list, which counts all and keeps the first ones. */
export function noteMissing(files: FilesMissing, file: MissingFile): void {
  files.count += 1
  if (files.first.length < filesMissingShownMax) files.first.push(file)
}

/** Files that could not be added to the index, and files that were lost since. */
export function filesMissingOf(shown: { index: CaptureIndex; filesLost: FilesMissing }): FilesMissing {
  const { index, filesLost } = shown
  const { filesMissing } = index.completeness
  return {
    count: filesMissing.length + filesLost.count,
    first: [...filesMissing, ...filesLost.first].slice(0, filesMissingShownMax),
  }
}

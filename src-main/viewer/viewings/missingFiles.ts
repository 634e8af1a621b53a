/** Files whose captures a viewing cannot show: those that its index could not take in, and those whose lines it has while no replica
 *  gives their bytes. Lines outlive their file, since they are kept for themselves and lie in the job's metadata too. An index
 *  that was made anew without such a file would have to be made again when a drive is plugged in, so it stays as it is. */
import type { CaptureIndex, MissingFile } from '../../indexes/indexes.ts'
import { filesMissingShownMax } from '../model/limits.ts'

export interface FilesMissing {
  count: number
  /** Of them, as many as a person is shown. */
  first: MissingFile[]
}

export function noFiles(): FilesMissing {
  return { count: 0, first: [] }
}

export function noteMissing(files: FilesMissing, file: MissingFile): void {
  files.count += 1
  if (files.first.length < filesMissingShownMax) files.first.push(file)
}

export function filesMissingOf(shown: { index: CaptureIndex; filesLost: FilesMissing }): FilesMissing {
  const { index, filesLost } = shown
  const { filesMissing } = index.completeness
  return {
    count: filesMissing.length + filesLost.count,
    first: [...filesMissing, ...filesLost.first].slice(0, filesMissingShownMax),
  }
}

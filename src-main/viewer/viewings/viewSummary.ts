/** What the interface and the command line learn about an open view. */
import type { BuildProgress, Completeness } from '../../indexes/indexes.ts'
import type { Findings } from './findings.ts'
import { filesMissingOf, type FilesMissing } from './missingFiles.ts'
import type { Viewing } from './viewings.ts'
import type { View, Views } from './views.ts'

/** An open view, with the numbers that the interface and the command line show. */
export interface OpenView extends View {
  name: string | null
  captures: number
  misses: number
  errors: number
  isRecording: boolean
  completeness: Completeness
  /** Files that cannot be read, as far as they were checked. */
  filesMissing: FilesMissing
  /** Progress of the index. While it is being built, more captures may come. */
  growth: BuildProgress & { isGrowing: boolean }
}

/** Returns what a viewing shows; undefined when it shows nothing. */
export function viewSummary(
  { findings, views }: { findings: Pick<Findings, 'counts'>; views: Pick<Views, 'nameOf'> },
  viewing: Viewing,
): OpenView | undefined {
  const shown = viewing.current()
  if (shown === undefined) return undefined
  const { view, index } = shown
  const { completeness, isGrowing, progress } = index
  const { misses, errors } = findings.counts({ viewing: viewing.user, view: view.view })
  return {
    ...{ ...view, name: views.nameOf(view.view), captures: progress.captures, misses, errors },
    ...{ isRecording: viewing.isRecording, completeness, filesMissing: filesMissingOf(shown) },
    growth: { ...progress, isGrowing },
  }
}

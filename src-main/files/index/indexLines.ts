/**
 * Index lines of one archive file, in the order of its records, or as sorted runs when they are to be sorted. Problems of the file are only
 * counted here; a check reports them with their place.
 */
import { basename } from 'node:path'
import { canonicaliserVersion, canonicaliserVersionOfUrls, cdxjHeader } from '../../formats/cdx/canonicaliser.ts'
import { captureListsOf, type CaptureOptions } from '../../formats/cdx/captures.ts'
import { captureTypes, type Capture } from '../../formats/cdx/capture.ts'
import { cdxHeaders, cdxLine } from '../../formats/cdx/cdxColumns.ts'
import { cdxjLine } from '../../formats/cdx/cdxj.ts'
import type { Finding } from '../../formats/rules/finding.ts'
import type { FileWork, WorkGiven } from '../work/fileWork.ts'
import { recordParts } from '../records/recordParts.ts'
import { RunWriter } from '../disk/sortedLines.ts'

/** Formats of lines. */
export type IndexForm = 'cdxj' | 'cdx11' | 'cdx9'

/** How lines are made. */
export interface IndexOptions extends CaptureOptions {
  form: IndexForm
  /** Name of the file in the lines; by default its own name. */
  filename?: string
  /** A folder for sorted runs. If given, no line is emitted, and the summary names the runs. */
  sortIn?: string
}

/** Result of indexing one file. */
export interface IndexSummary {
  captures: number
  /** Number of findings of every severity, and of those that need the user's attention. */
  findings: number
  errors: number
  warnings: number
  runs: string[]
}

/** Record types that can be requested. */
export const indexTypes = captureTypes

/** Returns the header before all lines. */
export function indexHeader({ form, post }: Pick<IndexOptions, 'form' | 'post'>): string {
  return form === 'cdxj' ? cdxjHeader(post ? canonicaliserVersion : canonicaliserVersionOfUrls) : cdxHeaders[form]
}

/** Makes the lines of one file, as an action over many files. */
export const indexLines: FileWork<IndexOptions, IndexSummary> = (given) => indexLinesOf(given, () => undefined)

/** Makes the lines, and reports findings as they occur. */
export async function indexLinesOf(
  { world, file, path, options, ...given }: WorkGiven<IndexOptions>,
  onFinding: (found: Finding) => void,
): Promise<IndexSummary> {
  const { form, filename = basename(path), sortIn } = options
  const runs = sortIn === undefined ? undefined : new RunWriter({ world, folder: sortIn })
  const emit = runs ? (line: string) => runs.add(line) : given.emit
  const lineOf = (capture: Capture) => (form === 'cdxj' ? cdxjLine(capture) : cdxLine(capture, form))
  const summary = { captures: 0, findings: 0, errors: 0, warnings: 0 }
  const report = (found: Finding) => {
    const { severity } = found
    onFinding(found)
    summary.findings += 1
    if (severity === 'error') summary.errors += 1
    if (severity === 'warning') summary.warnings += 1
  }
  for await (const part of recordParts(file, path, report)) {
    // A file in a package has its own name, as in the package's own index.
    const name = part.path === path ? filename : basename(part.path)
    for await (const list of captureListsOf(part.source, name, options))
      for (const found of list) {
        if ('finding' in found) report(found.finding)
        else {
          summary.captures += 1
          const written = emit(lineOf(found.capture))
          if (written) await written
        }
      }
  }
  await runs?.end()
  return { ...summary, runs: runs?.runs ?? [] }
}

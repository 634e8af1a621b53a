/** Worker thread that reads one file of an import from beginning to end and collects all findings. */
import { checkArchiveFile } from '../../formats/checkFile.ts'
import { FindingTally } from '../../formats/rules/findingTally.ts'
import type { Truncation } from '../../contract/states/outcomes.ts'
import { watchedFile } from '../../files/disk/watchedFile.ts'
import type { Task } from '../../world/world.ts'
import { qualityUriPrefix } from '../../archive/files/qualityNames.ts'
import type { Findings } from './findings.ts'

/** The file to check. */
export interface CheckInput {
  path: string
  /** Name in the archive. */
  name: string
}

/** Result of the check. */
export interface CheckedFile {
  bytes: number
  records: number
  /** Number of truncated captures, by the reason that their records name or that their bodies show. */
  truncated: [Truncation, number][]
  /** Whether it has records about a job, which Loupe wrote (`quality`): an export has them in the same file as its captures. */
  hasQualityRecords: boolean
  findings: Findings
}

/** Checks the file; reports the share of it that has been read (0 to 1). */
export const task: Task<CheckInput, CheckedFile, number> = async ({ world, report, signal }, { path, name }) => {
  const opened = await world.disk.openRead(path)
  try {
    const bytes = await opened.bytes()
    const file = watchedFile(opened, { signal, onBytes: (reached) => report(reached / bytes) })
    const tally = new FindingTally()
    let records = 0
    let hasQualityRecords = false
    const truncated = new Map<Truncation, number>()
    for await (const { record, findings } of checkArchiveFile(file, { name, bytes, nowMs: world.clock.now() })) {
      if (record) records += 1
      if (record?.url?.startsWith(qualityUriPrefix)) hasQualityRecords = true
      const truncation = record?.truncation
      if (truncation && isCapture(record)) truncated.set(truncation, (truncated.get(truncation) ?? 0) + 1)
      for (const found of findings) tally.add(found, name)
    }
    return { bytes, records, truncated: [...truncated], hasQualityRecords, findings: tally.rules() }
  } finally {
    await opened.close()
  }
}

/** Whether a truncation of the record affects a page. Request and metadata records may be truncated too, without such effect. */
function isCapture({ type }: { type: string }): boolean {
  return type === 'response' || type === 'resource' || type === 'conversion'
}

/** Reads one file of an import from beginning to end for everything that is wrong in it. */
import { checkArchiveFile } from '../../formats/checkFile.ts'
import { FindingTally } from '../../formats/rules/findingTally.ts'
import type { Truncation } from '../../contract/states/outcomes.ts'
import { watchedFile } from '../../files/disk/watchedFile.ts'
import type { Task } from '../../world/world.ts'
import type { Findings } from './findings.ts'

export interface CheckInput {
  path: string
  /** In the archive. */
  name: string
}

export interface CheckedFile {
  bytes: number
  records: number
  /** Captures that are not whole, by the reason that their records name or that their bodies show. */
  truncated: [Truncation, number][]
  findings: Findings
}

/** It reports which share of the file has been read. */
export const task: Task<CheckInput, CheckedFile, number> = async ({ world, report, signal }, { path, name }) => {
  const opened = await world.disk.openRead(path)
  try {
    const bytes = await opened.bytes()
    const file = watchedFile(opened, { signal, onBytes: (reached) => report(reached / bytes) })
    const tally = new FindingTally()
    let records = 0
    const truncated = new Map<Truncation, number>()
    for await (const { record, findings } of checkArchiveFile(file, { name, bytes, nowMs: world.clock.now() })) {
      if (record) records += 1
      const truncation = record?.truncation
      if (truncation && isCapture(record)) truncated.set(truncation, (truncated.get(truncation) ?? 0) + 1)
      for (const found of findings) tally.add(found, name)
    }
    return { bytes, records, truncated: [...truncated], findings: tally.rules() }
  } finally {
    await opened.close()
  }
}

/** What a request asked for, or what was noted of a crawl, may be cut as well: no page lacks anything of it. */
function isCapture({ type }: { type: string }): boolean {
  return type === 'response' || type === 'resource' || type === 'conversion'
}

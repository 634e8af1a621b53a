/** One archive file checked: its findings counted by rule with the first places of each, and where they are wanted all of
 *  them, a line of JSON each. */
import type { FileFinding } from '../../contract/contract.ts'
import { checkArchiveFile } from '../../formats/checkFile.ts'
import { FindingTally, type FindingCounts } from '../../formats/rules/findingTally.ts'
import type { Finding } from '../../formats/rules/finding.ts'
import { recognise } from '../../formats/recognise.ts'
import type { FileWork } from '../work/fileWork.ts'
import { findingOf } from './finding.ts'

export interface CheckOptions {
  /** Findings of these rules are told as lines; none without it. */
  told?: readonly string[]
  /** Told with the addresses of their records. */
  withUrls?: boolean
  /** How many places of each rule the summary has. */
  placesMax: number
}

/** With the address of the record that it is about. */
export interface ToldFinding extends FileFinding {
  url: string | null
}

export interface CheckedRule {
  rule: string
  severity: Finding['severity']
  count: number
  first: ToldFinding[]
}

export interface CheckSummary {
  /** What the file is, by its bytes. */
  words: string
  records: number
  counts: FindingCounts
  /** Errors first, and of one severity the most frequent first. */
  rules: CheckedRule[]
}

export const checkFile: FileWork<CheckOptions, CheckSummary> = async ({ world, file, path, options, tell }) => {
  const { form, words } = await recognise(file)
  const told = new Set(options.told)
  const tally = new FindingTally(options.placesMax)
  const places = new Map<string, ToldFinding[]>()
  let records = 0
  for await (const checked of checkArchiveFile(file, {
    name: path,
    bytes: await file.bytes(),
    nowMs: world.clock.now(),
  })) {
    if (checked.record) records += 1
    for (const found of checked.findings) {
      const url = checked.record?.url ?? null
      const finding = findingOf(found, checked.file)
      // Kept here too, because a tally knows no addresses.
      if (tally.add(found, checked.file))
        places.set(found.rule, [...(places.get(found.rule) ?? []), { ...finding, url }])
      if (told.has(found.rule)) await tell(JSON.stringify(options.withUrls ? { ...finding, url } : finding))
    }
  }
  const rules = tally
    .rules()
    .map(({ rule, severity, count }) => ({ rule, severity, count, first: places.get(rule) ?? [] }))
  // A zip with records in it is a WACZ, whatever its name.
  return { words: form === 'zip' && records > 0 ? 'WACZ' : words, records, counts: tally.counts, rules }
}

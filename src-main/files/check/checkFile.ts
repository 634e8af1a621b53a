/**
 * Check of one archive file: findings are counted by rule, with the first places of each. On request all findings of some rules are
 * emitted, one line of JSON each.
 */
import type { FileFinding } from '../../contract/services/fileFindings.ts'
import { message, type Message } from '../../contract/words/message.ts'
import { checkArchiveFile } from '../../formats/checkFile.ts'
import { FindingTally, type FindingCounts } from '../../formats/rules/findingTally.ts'
import type { Finding } from '../../formats/rules/finding.ts'
import { formatMessage, recognise } from '../../formats/recognise.ts'
import type { FileWork } from '../work/fileWork.ts'
import { findingOf } from './finding.ts'

/** Parameters of a check. */
export interface CheckOptions {
  /** Findings of these rules are emitted as lines; none when absent. */
  listedRules?: readonly string[]
  /** Whether findings are emitted with the URLs of their records. */
  withUrls?: boolean
  /** Findings kept in the summary, per rule. */
  placesMax: number
}

/** A finding with the URL of its record. */
export interface FindingWithUrl extends FileFinding {
  url: string | null
}

/** Findings of one rule. */
export interface CheckedRule {
  rule: string
  severity: Finding['severity']
  count: number
  first: FindingWithUrl[]
}

/** Result of checking one file. */
export interface CheckSummary {
  /** The format of the file, detected from its bytes. */
  format: Message
  records: number
  counts: FindingCounts
  /** Errors first; within one severity the most frequent first. */
  rules: CheckedRule[]
}

/** Checks one file, from its first byte to its last. */
export const checkFile: FileWork<CheckOptions, CheckSummary> = async ({ world, file, path, options, emit }) => {
  const recognised = await recognise(file)
  const listed = new Set(options.listedRules)
  const tally = new FindingTally(options.placesMax)
  const places = new Map<string, FindingWithUrl[]>()
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
      // Stored here too, because the tally has no URLs.
      if (tally.add(found, checked.file))
        places.set(found.rule, [...(places.get(found.rule) ?? []), { ...finding, url }])
      if (listed.has(found.rule)) await emit(JSON.stringify(options.withUrls ? { ...finding, url } : finding))
    }
  }
  const rules = tally
    .rules()
    .map(({ rule, severity, count }) => ({ rule, severity, count, first: places.get(rule) ?? [] }))
  // A zip with records in it is a WACZ, whatever its name.
  const format = recognised.form === 'zip' && records > 0 ? message('format.wacz') : formatMessage(recognised)
  return { format, records, counts: tally.counts, rules }
}

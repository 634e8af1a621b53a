/**
 * Text output of `loupe check`: for each file what it is and what is wrong with it, and at the end what the rules mean and what to do. This
 * module only formats.
 */
import type { KnownRule } from '../../../files/check/finding.ts'
import type { CheckedRule, CheckSummary, FindingWithUrl } from '../../../files/check/checkFile.ts'
import { bytesText, countText, plainText, type Colour } from '../output/output.ts'
import { message } from '../../../contract/words/message.ts'
import { textOf } from '../../../contract/words/render.ts'

/** Severities, the gravest first. */
export const severities = ['error', 'warning', 'note'] as const
export type Severity = (typeof severities)[number]
export type Paint = (colour: Colour, text: string) => string

const colours: Record<Severity, Colour> = { error: 'red', warning: 'yellow', note: 'dim' }

/** Findings by severity. */
export interface Counts {
  errors: number
  warnings: number
  notes: number
}

/** Formats counts as `2 errors, 1 warning`; undefined when all are zero. */
export function countsText({ errors, warnings, notes }: Counts): string | undefined {
  const parts = [
    errors > 0 ? countText(errors, 'error') : '',
    warnings > 0 ? countText(warnings, 'warning') : '',
    notes > 0 ? countText(notes, 'note') : '',
  ].filter(Boolean)
  return parts.length === 0 ? undefined : parts.join(', ')
}

export interface FileReport {
  path: string
  bytes: number
  summary: CheckSummary
  /** The wanted rules, the gravest first. */
  rules: CheckedRule[]
  /** Whether every place has been printed before. */
  all: boolean
  /** Whether the places of notes are printed. Notes need no action, so by default only their rules are named. */
  notesWhole: boolean
}

/** Formats a head line, and a group for each rule. */
export function fileText({ path, bytes, summary, rules, all, notesWhole }: FileReport, paint: Paint): string {
  const { words, records, counts } = summary
  const colour = counts.errors > 0 ? 'red' : counts.warnings > 0 ? 'yellow' : 'green'
  const verdict = paint(colour, countsText(counts) ?? 'good')
  const what = `${words}, ${countText(records, 'record')}, ${bytesText(bytes)}`
  const head = `${paint('bold', plainText(path))}: ${verdict} (${what})`
  const small = rules.filter(({ severity }) => severity === 'note' && !notesWhole)
  const groups = rules.filter((rule) => !small.includes(rule)).map((rule) => ruleText(rule, { path, all, paint }))
  const notes = small.map(({ rule, count }) => (count > 1 ? `${rule} (${count} times)` : rule))
  if (notes.length === 0) return [head, ...groups].join('\n')
  const named = notes.join(', ')
  // A file that has only notes takes one line, like a file without findings.
  if (groups.length === 0) return `${head}: ${paint(colours.note, named)}`
  return [head, ...groups, paint(colours.note, `  notes: ${named}`)].join('\n')
}

function ruleText(
  { rule, severity, count, first }: CheckedRule,
  { path, all, paint }: { path: string; all: boolean; paint: Paint },
): string {
  const times = count > 1 ? `, ${count} times` : ''
  const lines = [`  ${paint(colours[severity], severity)} ${rule}${times}`]
  for (const found of first) lines.push(`    ${placeText(found, path)}`)
  if (!all && count > first.length)
    lines.push(paint('dim', `    … and ${count - first.length} more (--all prints every place)`))
  return lines.join('\n')
}

/** Formats one finding when all are printed, without a group below it. */
export function everyPlaceText(found: FindingWithUrl, path: string, paint: Paint): string {
  return `${plainText(path)}: ${paint(colours[found.severity], found.severity)} ${found.rule}: ${placeText(found, path)}`
}

/**
 * Formats the place of a finding. `path` is the file in whose group it is printed; only within a package does the finding's own file
 * differ.
 */
function placeText({ file, record, offset, message, url }: FindingWithUrl, path: string): string {
  const text = textOf(message)
  const within = file === path ? '' : `${plainText(file.startsWith(`${path}!`) ? file.slice(path.length + 1) : file)} `
  const where = record === null ? '' : `record ${record} `
  const at = offset === null ? '' : `at ${offset}`
  const place = `${within}${where}${at}`.trim()
  // Some sentences contain the URL already.
  const of = url === null || url.trim() === '' || text.includes(url) ? '' : ` — ${shortened(plainText(url))}`
  return `${place === '' ? '' : `${place}: `}${plainText(text)}${of}`
}

/** Letters of a URL that are shown. More would not help the reader, and some URLs have many kilobytes. */
const urlLettersMax = 120

function shortened(url: string): string {
  return url.length > urlLettersMax ? `${url.slice(0, urlLettersMax - 1)}…` : url
}

/** Findings of one rule in all files, and the number of files that have any. */
export interface RuleTotal {
  count: number
  files: number
}

/** Explains each rule that was reported: what it means and what to do. */
export function meaningText(totals: ReadonlyMap<string, RuleTotal>, rules: readonly KnownRule[], paint: Paint): string {
  const met = rules.filter(({ rule }) => totals.has(rule)).sort((a, b) => graver(a, b) || often(totals, b, a))
  const entries = met.map(({ rule, severity, clause, means }) => {
    const { count, files } = totals.get(rule) ?? { count: 0, files: 0 }
    const head = `${paint(colours[severity], severity)} ${paint('bold', rule)}: ${countText(count, 'time')} in ${countText(files, 'file')}`
    return `${head} ${paint('dim', `[${clause}]`)}\n  ${textOf(means)}`
  })
  return [textOf(message('cli.check.rules')), ...entries].join('\n')
}

function graver(one: KnownRule, other: KnownRule): number {
  return severities.indexOf(one.severity) - severities.indexOf(other.severity)
}

function often(totals: ReadonlyMap<string, RuleTotal>, one: KnownRule, other: KnownRule): number {
  return (totals.get(one.rule)?.count ?? 0) - (totals.get(other.rule)?.count ?? 0)
}

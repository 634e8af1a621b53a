/**
 * Text output of `loupe check`: for each file what it is and what is wrong with it, and at the end what the rules mean and what to do. This
 * module only formats.
 */
import type { KnownRule } from '../../../files/check/finding.ts'
import type { CheckedRule, CheckSummary, FindingWithUrl } from '../../../files/check/checkFile.ts'
import { figuresOf } from '../output/figures.ts'
import { bytesText, plainText, type Colour } from '../output/output.ts'
import { message, type Message } from '../../../contract/words/message.ts'
import { textFor, textOf } from '../../../contract/words/render.ts'

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

/** Lists counts, as in `2 errors, 1 warning`; undefined when all are zero. */
export function countsOf({ errors, warnings, notes }: Counts): Message | undefined {
  const parts = [
    errors > 0 ? message('figure.errors', { count: errors }) : undefined,
    warnings > 0 ? message('figure.warnings', { count: warnings }) : undefined,
    notes > 0 ? message('figure.notes', { count: notes }) : undefined,
  ].filter((part) => part !== undefined)
  return parts.length === 0 ? undefined : figuresOf(parts)
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
  const { format, records, counts } = summary
  const colour = counts.errors > 0 ? 'red' : counts.warnings > 0 ? 'yellow' : 'green'
  const values = {
    file: paint('bold', plainText(path)),
    verdict: paint(colour, textOf(countsOf(counts) ?? message('cli.check.good'))),
    what: message('cli.check.what', { format, records, size: bytesText(bytes) }),
  }
  const head = textFor('cli.check.file', values)
  const small = rules.filter(({ severity }) => severity === 'note' && !notesWhole)
  const groups = rules.filter((rule) => !small.includes(rule)).map((rule) => ruleText(rule, { path, all, paint }))
  const notes = small.map(({ rule, count }) => (count > 1 ? textFor('cli.check.ruleTimes', { rule, count }) : rule))
  if (notes.length === 0) return [head, ...groups].join('\n')
  const named = notes.join(', ')
  // A file that has only notes takes one line, like a file without findings.
  if (groups.length === 0) return textFor('cli.check.fileNotes', { ...values, notes: paint(colours.note, named) })
  return [head, ...groups, paint(colours.note, textFor('cli.check.notes', { notes: named }))].join('\n')
}

function ruleText(
  { rule, severity, count, first }: CheckedRule,
  { path, all, paint }: { path: string; all: boolean; paint: Paint },
): string {
  const times = count > 1 ? textFor('cli.check.times', { rule, count }) : rule
  const lines = [`  ${severityText(severity, paint)} ${times}`]
  for (const found of first) lines.push(`    ${placeText(found, path)}`)
  if (!all && count > first.length) lines.push(paint('dim', textFor('cli.check.more', { count: count - first.length })))
  return lines.join('\n')
}

/** Formats one finding when all are printed, without a group below it. */
export function everyPlaceText(found: FindingWithUrl, path: string, paint: Paint): string {
  return `${plainText(path)}: ${severityText(found.severity, paint)} ${found.rule}: ${placeText(found, path)}`
}

/**
 * Formats the place of a finding. `path` is the file in whose group it is printed; only within a package does the finding's own file
 * differ.
 */
function placeText({ file, record, offset, message, url }: FindingWithUrl, path: string): string {
  const text = textOf(message)
  const within = file === path ? '' : `${plainText(file.startsWith(`${path}!`) ? file.slice(path.length + 1) : file)} `
  const where = record === null ? '' : `${textFor('cli.check.place.record', { record })} `
  const at = offset === null ? '' : textFor('cli.check.place.offset', { offset })
  const place = `${within}${where}${at}`.trim()
  // Some sentences contain the URL already.
  const of = url === null || url.trim() === '' || text.includes(url) ? '' : ` — ${shortened(plainText(url))}`
  return `${place === '' ? '' : `${place}: `}${plainText(text)}${of}`
}

/** Letters of a URL that are shown. More would not help the reader, and some URLs have many kilobytes. */
const urlCharactersShownMax = 120

function shortened(url: string): string {
  return url.length > urlCharactersShownMax ? `${url.slice(0, urlCharactersShownMax - 1)}…` : url
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
    const total = textFor('cli.check.total', { count, files })
    const head = `${severityText(severity, paint)} ${paint('bold', rule)}: ${total}`
    return `${head} ${paint('dim', `[${clause}]`)}\n  ${textOf(means)}`
  })
  return [textFor('cli.check.rules'), ...entries].join('\n')
}

function severityText(severity: Severity, paint: Paint): string {
  return paint(colours[severity], textFor(`cli.check.severity.${severity}`))
}

function graver(one: KnownRule, other: KnownRule): number {
  return severities.indexOf(one.severity) - severities.indexOf(other.severity)
}

function often(totals: ReadonlyMap<string, RuleTotal>, one: KnownRule, other: KnownRule): number {
  return (totals.get(one.rule)?.count ?? 0) - (totals.get(other.rule)?.count ?? 0)
}

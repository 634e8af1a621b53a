/** The verb `loupe check`: reports what is wrong with archive files, as text or JSON. Both are printed file by file. */
import { checkAction } from '../../../files/check/checkAction.ts'
import type { CheckedRule, CheckSummary, FindingWithUrl } from '../../../files/check/checkFile.ts'
import type { FileOutcome } from '../../../files/work/fileWork.ts'
import { knownRules, unreadableFinding, type KnownRule } from '../../../files/check/finding.ts'
import type { FoundFile } from '../../../files/work/findFiles.ts'
import { nearest } from '../../../contract/text/nearest.ts'
import { Fault } from '../../../contract/calls/faults.ts'
import { filesGiven, paceOf, workOnFiles, type FilesGiven, type Work } from '../session/archiveFiles.ts'
import type { Command, ExitCode } from '../session/command.ts'
import { figuresOf } from '../output/figures.ts'
import type { Colour, Output } from '../output/output.ts'
import { withTemporaryFolder } from '../input/temporaryFolder.ts'
import {
  countsOf,
  everyPlaceText,
  fileText,
  meaningText,
  severities,
  type Counts,
  type RuleTotal,
  type Severity,
} from './checkReport.ts'
import type { FileFinding } from '../../../contract/services/fileFindings.ts'
import { message, type Message, type MessageValue } from '../../../contract/words/message.ts'
import { textFor, withTexts } from '../../../contract/words/render.ts'

export interface CheckWanted {
  /** The lowest severity that is shown. */
  severity: Severity
  /** Rules to show; all when absent. */
  rule?: string[]
  /** Whether every place is shown, not only the first ones. */
  all: boolean
}

/** Places shown of each rule and file unless all are wanted. */
const placesMax = 3

/**
 * Above this number of files, files without errors and warnings are only counted, and at most as many of each other kind are shown, which
 * keeps the output readable. `--all` and `--json` have every file.
 */
const filesShownMax = 100

export async function checkFiles(command: Command, paths: readonly string[], wanted: CheckWanted): Promise<ExitCode> {
  const rules = rulesWanted(wanted)
  const given = await filesGiven(command, paths)
  const { output } = command
  const listed = output.json || wanted.all ? { listedRules: rules.map(({ rule }) => rule) } : {}
  const report = output.json ? new JsonReport(output) : new TextReport(output, { given, rules, wanted })
  await report.begin()
  let bad = false
  const onEnd = (file: FoundFile, ended: Ended) => {
    // Findings count even where the options of the command hide them.
    bad ||= ended.summary.counts.errors + ended.summary.counts.warnings > 0
    return report.end(file, ended)
  }
  for (const { path, problem } of given.unread) await onEnd({ path, bytes: 0 }, unreadable(path, problem, rules))
  const work = await withTemporaryFolder((spoolFolder) =>
    workOnFiles(command, given, {
      doing: message('cli.doing.check'),
      action: checkAction,
      options: { ...listed, withUrls: !output.json, placesMax: wanted.all ? 0 : placesMax },
      spoolFolder,
      onLines: (file, lines) => report.lines(file, lines),
      onEnd: (file, outcome) => onEnd(file, endOf(file, outcome, rules)),
    }),
  )
  await report.finish(work)
  return bad ? 1 : 0
}

function rulesWanted({ severity, rule: names }: CheckWanted): KnownRule[] {
  const shown = severities.slice(0, severities.indexOf(severity) + 1)
  const known = knownRules()
  for (const name of names ?? []) {
    if (known.some(({ rule }) => rule === name)) continue
    const near = nearest(
      name,
      known.map(({ rule }) => rule),
    )
    throw new Fault(
      'badInput',
      near === undefined ? message('cli.check.noRule', { name }) : message('cli.check.noRule.near', { name, near }),
    )
  }
  return known.filter(({ rule, severity }) => shown.includes(severity) && names?.includes(rule) !== false)
}

/** A file that has been checked: what was found, and which part of it is wanted. */
interface Ended {
  summary: CheckSummary
  rules: CheckedRule[]
  /** Findings that were not emitted as lines. */
  unlisted: FindingWithUrl[]
}

function endOf({ path }: FoundFile, outcome: FileOutcome<CheckSummary>, rules: readonly KnownRule[]): Ended {
  if (outcome.kind === 'unreadable') return unreadable(path, outcome.problem, rules)
  const wanted = outcome.summary.rules.filter(({ rule }) => rules.some((one) => one.rule === rule))
  return { summary: outcome.summary, rules: wanted, unlisted: [] }
}

function unreadable(path: string, problem: MessageValue, rules: readonly KnownRule[]): Ended {
  const found: FindingWithUrl = { ...unreadableFinding(path, problem), url: null }
  const checked: CheckedRule = { rule: found.rule, severity: found.severity, count: 1, first: [found] }
  const summary = {
    format: message('format.unreadable'),
    records: 0,
    counts: { errors: 1, warnings: 0, notes: 0 },
    rules: [checked],
  }
  const isWanted = rules.some(({ rule }) => rule === found.rule)
  return { summary, rules: isWanted ? [checked] : [], unlisted: isWanted ? [found] : [] }
}

interface Report {
  begin(): Promise<void>
  /** Prints findings of the file as lines of JSON. */
  lines(file: FoundFile, lines: Uint8Array): Promise<void>
  end(file: FoundFile, ended: Ended): Promise<void>
  finish(work: Work): Promise<void>
}

/** Writes `{files: [{name, findings, records}]}`, never held as a whole. */
class JsonReport implements Report {
  #output: Output
  #files = 0
  /** Number of findings printed of the current file; undefined between two files. */
  #findings: number | undefined

  constructor(output: Output) {
    this.#output = output
  }

  begin(): Promise<void> {
    return this.#output.part('{"files":[')
  }

  lines(file: FoundFile, lines: Uint8Array): Promise<void> {
    return this.#add(file, findingsIn(lines))
  }

  async end(file: FoundFile, { summary, unlisted }: Ended): Promise<void> {
    await this.#add(
      file,
      unlisted.map(({ url: _, ...finding }) => finding),
    )
    await this.#output.part(`],"records":${summary.records}}`)
    this.#findings = undefined
  }

  finish(): Promise<void> {
    return this.#output.part(']}\n')
  }

  #add({ path }: FoundFile, findings: FileFinding[]): Promise<void> {
    let text = ''
    if (this.#findings === undefined) {
      text = `${this.#files > 0 ? ',' : ''}{"name":${JSON.stringify(path)},"findings":[`
      this.#files += 1
      this.#findings = 0
    }
    for (const finding of findings) {
      text += `${this.#findings > 0 ? ',' : ''}${JSON.stringify(withTexts(finding))}`
      this.#findings += 1
    }
    return this.#output.part(text)
  }
}

interface Shown {
  given: FilesGiven
  rules: readonly KnownRule[]
  wanted: CheckWanted
}

class TextReport implements Report {
  #output: Output
  #shown: Shown
  #totals = new Map<string, RuleTotal>()
  #counts: Counts = { errors: 0, warnings: 0, notes: 0 }
  #files = { errors: 0, warnings: 0, good: 0 }
  /** Files that were only counted. */
  #unshown = { errors: 0, warnings: 0, good: 0 }
  #records = 0
  /** Whether the last output needs an empty line before what follows. */
  #apart = true

  constructor(output: Output, shown: Shown) {
    this.#output = output
    this.#shown = shown
  }

  begin(): Promise<void> {
    return Promise.resolve()
  }

  lines({ path }: FoundFile, lines: Uint8Array): Promise<void> {
    const places = findingsIn<FindingWithUrl>(lines).map((found) => everyPlaceText(found, path, this.#paint))
    return this.#output.part(places.map((place) => `${place}\n`).join(''))
  }

  async end({ path, bytes }: FoundFile, { summary, rules }: Ended): Promise<void> {
    const { counts, records } = summary
    const kind = counts.errors > 0 ? 'errors' : counts.warnings > 0 ? 'warnings' : 'good'
    this.#files[kind] += 1
    this.#records += records
    for (const name of ['errors', 'warnings', 'notes'] as const) this.#counts[name] += counts[name]
    for (const { rule, count } of rules) {
      const total = this.#totals.get(rule) ?? { count: 0, files: 0 }
      this.#totals.set(rule, { count: total.count + count, files: total.files + 1 })
    }
    if (!this.#isShown(kind)) {
      this.#unshown[kind] += 1
      return
    }
    const { all, rule: named } = this.#shown.wanted
    const text = fileText({ path, bytes, summary, rules, all, notesWhole: named !== undefined }, this.#paint)
    // A file without findings takes one line; the others are set off by empty lines.
    this.#apart = text.includes('\n')
    await this.#output.part(this.#apart ? `${text}\n\n` : `${text}\n`)
  }

  #isShown(kind: keyof Files): boolean {
    const { given, wanted } = this.#shown
    if (wanted.all || given.files.length + given.unread.length <= filesShownMax) return true
    return kind !== 'good' && this.#files[kind] <= filesShownMax
  }

  async finish(work: Work): Promise<void> {
    const { given, rules } = this.#shown
    const unshown = verdictsOf(this.#unshown)
    if (unshown) await this.#output.part(`${textFor('cli.check.notListed', { files: unshown })}\n`)
    const before = this.#apart && !unshown ? '' : '\n'
    if (this.#totals.size > 0) await this.#output.part(`${before}${meaningText(this.#totals, rules, this.#paint)}\n\n`)
    const summary = textFor('cli.check.summary', {
      files: given.files.length + given.unread.length,
      verdicts: verdictsOf(this.#files) ?? message('figure.good', { count: 0 }),
      records: this.#records,
      found: countsOf(this.#counts) ?? message('figure.nothingWrong'),
      pace: paceOf(given, work),
    })
    await this.#output.part(`${summary}\n`)
  }

  #paint = (colour: Colour, text: string) => this.#output.paint(colour, text)
}

interface Files {
  errors: number
  warnings: number
  good: number
}

/** Counts files by verdict; undefined when all counts are zero. */
function verdictsOf({ errors, warnings, good }: Files): Message | undefined {
  const parts = [
    good > 0 ? message('figure.good', { count: good }) : undefined,
    warnings > 0 ? message('figure.withWarnings', { count: warnings }) : undefined,
    errors > 0 ? message('figure.withErrors', { count: errors }) : undefined,
  ].filter((part) => part !== undefined)
  return parts.length === 0 ? undefined : figuresOf(parts)
}

/** The findings that the check emitted, one per line. */
function findingsIn<Found extends FileFinding>(lines: Uint8Array): Found[] {
  const text = Buffer.from(lines.buffer, lines.byteOffset, lines.length).toString('utf8')
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Found)
}

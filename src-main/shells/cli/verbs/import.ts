/** The verb `loupe import FILE…`: copies files from elsewhere to every replica and reports what is wrong with them. */
import { existsSync } from 'node:fs'
import type { ImportedFile } from '../../../contract/services/harvests.ts'
import type { JobWhole } from '../../../contract/services/jobDetails.ts'
import type { JobSummary } from '../../../contract/services/jobSummary.ts'
import type { Loupe } from '../../../contract/contract.ts'
import { Fault } from '../../../contract/calls/faults.ts'
import { importCounts, isOpenedPackage, type ImportCounts } from '../../../contract/importCounts.ts'
import { statusLabel } from '../../../contract/states/jobStatuses.ts'
import { isFinal } from '../../../contract/states/stateTable.ts'
import { importedFileStates, isInArchive } from '../../../contract/states/importedFileStates.ts'
import type { Command, ExitCode } from '../session/command.ts'
import { figures, figuresOf, rate, remaining } from '../output/figures.ts'
import { bytesText, durationText, plainText } from '../output/output.ts'
import type { Session } from '../session/session.ts'
import { followJob } from './followJob.ts'
import { refuseWithoutRoom } from './blockedJob.ts'
import { joined } from '../../../contract/words/joined.ts'
import { message, type Message } from '../../../contract/words/message.ts'
import { textFor, textOf } from '../../../contract/words/render.ts'

/** Rules listed for each file in the summary: the worst and most frequent ones. `--json` and the interface have all. */
const rulesShownMax = 3

export async function importFiles(command: Command, paths: string[]): Promise<ExitCode> {
  const { output, archiveFolder } = command
  const absent = paths.find((path) => !existsSync(path))
  if (absent !== undefined) throw new Fault('notFound', message('files.absent', { path: absent }))
  return command.withSession('works', async (session) => {
    const { services, own } = session
    const before = await services.jobs.list({})
    // The same import, ended by Ctrl-C or a kill, is continued.
    const { job } = await services.harvests.import({ paths })
    const goOn = before.some((known) => known.job === job)
    const values = { job, what: paths.join(', '), archive: archiveFolder }
    const begins = message(goOn ? 'cli.job.continuing' : 'cli.job.importing', values)
    output.note(textOf(own ? begins : joined([begins, message('cli.job.runElsewhere')])))
    if ((await follow(command, session, { job, goOn })) === 'stopped') {
      output.note(textOf(message(own ? 'cli.stopped.again' : 'cli.elsewhere', { job })))
      return 130
    }
    return report(command, services, job)
  })
}

/** Reads all files of the import once, and then only those that changed: an import may have a hundred thousand. */
async function follow(
  command: Command,
  session: Session,
  { job, goOn }: { job: number; goOn: boolean },
): Promise<'ended' | 'stopped'> {
  const { harvests } = session.services
  const pace = paceFrom(performance.now())
  const files = new Map<string, ImportedFile>()
  const end = harvests.importChanged((moved) => {
    if (moved.job !== job) return
    for (const file of moved.files) files.set(file.from, file)
  })
  try {
    for (const file of await harvests.imported({ job })) files.set(file.from, files.get(file.from) ?? file)
    return await followJob(command, session, {
      job,
      goOn,
      progressText: (summary) => progressText(summary, [...files.values()], pace),
    })
  } finally {
    end()
  }
}

/** Returns bytes per second since the first call: work done before this command does not count. */
type Pace = (bytesDone: number) => number

function paceFrom(beganMs: number): Pace {
  let before: number | undefined
  return (bytesDone) => {
    before ??= bytesDone
    return ((bytesDone - before) * 1000) / Math.max(100, performance.now() - beganMs)
  }
}

function progressText({ status, state }: JobSummary, files: readonly ImportedFile[], pace: Pace): string {
  if (state !== 'STARTINGUP') return textOf(statusLabel(status))
  const sum = (of: (file: ImportedFile) => number) => files.reduce((total, file) => total + of(file), 0)
  const isSettled = ({ state }: ImportedFile) => isFinal(importedFileStates, state)
  const [done, total] = [sum(({ bytesDone }) => bytesDone), sum(({ bytesTotal }) => bytesTotal)]
  const bytesPerSecond = pace(done)
  return figures([
    message('figure.filesOf', { done: files.filter(isSettled).length, total: files.length }),
    message('figure.doneOf', { done: bytesText(done), total: bytesText(total) }),
    rate(bytesPerSecond),
    remaining(total - done, bytesPerSecond),
    message('figure.errors', { count: sum(({ findings }) => findings.errors) }),
  ])
}

interface ReportedFile extends ImportedFile {
  /** Counts by rule, the worst first. */
  rules: { rule: string; severity: string; count: number }[]
}

async function report({ output }: Command, services: Loupe, job: number): Promise<ExitCode> {
  const whole = await services.jobs.show({ job })
  const reported: ReportedFile[] = []
  for (const file of await services.harvests.imported({ job })) {
    const { errors, warnings, notes } = file.findings
    const asked = { job, file: file.name ?? file.from, limit: 1 }
    const rules = errors + warnings + notes === 0 ? [] : (await services.harvests.importFindings(asked)).byRule
    reported.push({ ...file, rules })
  }
  const files = reported.filter((file) => !isOpenedPackage(file)).map(shownFile)
  const packages = reported.filter(isOpenedPackage).map(shownFile)
  output.result(
    {
      job,
      state: whole.state,
      counts: importCounts(reported),
      findingCounts: whole.findingCounts,
      files,
      packages,
      findings: whole.findings,
    },
    () => text(whole, reported),
  )
  // A separate exit code, so that scripts can run the same command again after making room.
  const full = reported.find(({ code }) => code === 'noSpace')
  if (full) throw new Fault('noSpace', message('cli.import.full', { file: full.from, problem: full.message ?? '' }))
  refuseWithoutRoom(whole)
  const needsAttention = reported.some(({ state, findings }) => state === 'REJECTED' || findings.errors > 0)
  return needsAttention || whole.findings.some(({ level }) => level === 'error') ? 1 : 0
}

function shownFile({
  name,
  from,
  kind,
  state,
  records,
  captures,
  findings,
  message,
  code,
  rules,
  archived,
}: ReportedFile) {
  return {
    name,
    from,
    kind: textOf(kind),
    state,
    records,
    captures,
    problems: rules,
    findings,
    message,
    code,
    archived,
  }
}

function text(whole: JobWhole, files: readonly ReportedFile[]): string {
  const { job, status, documents, bytes, seconds } = whole
  return [
    textFor('cli.job.status', { job, status: statusLabel(status) }),
    textFor('cli.import.summary', {
      files: countsOf(importCounts(files)),
      ...{ captures: documents.fetched, size: bytesText(bytes), duration: durationText(seconds) },
    }),
    ...filesText(files),
    ...whole.findings.map(({ level, message: text }) =>
      textFor('figure.named', { name: textFor(`cli.check.severity.${level}`), text: plainText(textOf(text)) }),
    ),
    ...(files.some(({ rules }) => rules.length > 0) ? [textFor('cli.import.next')] : []),
  ].join('\n')
}

function countsOf({ files, imported, archived, rejected, waiting }: ImportCounts): Message {
  return message('cli.import.files', { files, imported, archived, rejected, waiting })
}

/** Above this number of files, only files that need attention are listed, and at most this many. */
const filesListedMax = 100

function filesText(files: readonly ReportedFile[]): string[] {
  if (files.length <= filesListedMax) return files.flatMap(fileText)
  const bad = files.filter(({ state, findings }) => !isInArchive(state) || findings.errors > 0)
  const listed = bad.slice(0, filesListedMax)
  const [more, good] = [bad.length - listed.length, files.length - bad.length]
  return [
    ...listed.flatMap(fileText),
    ...(more > 0 ? [textFor('cli.import.more', { count: more })] : []),
    ...(good > 0 ? [textFor('cli.import.good', { count: good })] : []),
    ...rulesText(files),
    textFor('cli.import.json'),
  ]
}

/** Lists each rule once, however many files it was found in; the rules of a file come with the worst first. */
function rulesText(files: readonly ReportedFile[]): string[] {
  const totals = new Map<string, { severity: string; rule: string; count: number; files: number }>()
  for (const { rules } of files) {
    for (const { severity, rule, count } of rules) {
      const total = totals.get(rule) ?? { severity, rule, count: 0, files: 0 }
      totals.set(rule, { ...total, count: total.count + count, files: total.files + 1 })
    }
  }
  const order = ['error', 'warning', 'note']
  return [...totals.values()]
    .sort((one, other) => order.indexOf(one.severity) - order.indexOf(other.severity) || other.count - one.count)
    .map((total) => textFor('cli.import.ruleInFiles', total))
}

function fileText(file: ReportedFile): string[] {
  const { name, from, kind, state, records, captures, findings, message: remark, rules } = file
  const called = plainText(name ?? from)
  const text = remark && plainText(textOf(remark))
  if (state === 'ARCHIVED') return [`  ${called}  ${text ?? ''}`]
  if (state !== 'IMPORTED')
    return [textFor('cli.import.notImported', { file: called, problem: text ?? message('cli.import.notReached') })]
  const { errors, warnings, notes } = findings
  const counts = figuresOf([
    name === null ? undefined : message('figure.records', { count: records }),
    name === null ? undefined : message('figure.captures', { count: captures }),
    message('figure.errors', { count: errors }),
    message('figure.warnings', { count: warnings }),
    message('figure.notes', { count: notes }),
  ])
  const worst = rules.slice(0, rulesShownMax).map((rule) => textFor('cli.import.rule', rule))
  const count = rules.length - rulesShownMax
  const more = count > 0 ? [textFor('cli.import.moreRules', { count })] : []
  const done = text === null ? [] : [`    ${text}`]
  return [textFor('cli.import.file', { file: called, kind, figures: counts }), ...done, ...worst, ...more]
}

/** The verbs `loupe recompress|convert|salvage`: rewrite archive files on all cores, each into a new file. */
import { availableParallelism } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { faultsTranslated } from '../../../app/signals/faultsTranslated.ts'
import { Fault, userMessageOf, type FaultCode } from '../../../contract/calls/faults.ts'
import { findFiles, isArchiveFile, type FindOptions, type FoundFile } from '../../../files/work/findFiles.ts'
import { inOrder } from '../../../files/work/inOrder.ts'
import { aheadMax } from '../../../files/disk/limits.ts'
import {
  rewriteFile,
  type RewriteAction,
  type RewriteInput,
  type RewriteOutcome,
  type RewriteProgress,
  type RewriteRefusal,
  type RewriteSummary,
} from '../../../files/rewrite/rewriteFile.ts'
import { isRewritten, rewrittenName } from '../../../files/rewrite/rewriteNames.ts'
import { progressText, world } from '../session/archiveFiles.ts'
import { noteUnread } from '../output/boundedNotes.ts'
import { type Command, type ExitCode } from '../session/command.ts'
import { bytesText, table } from '../output/output.ts'
import { message, type Message } from '../../../contract/words/message.ts'
import { textFor, textOf } from '../../../contract/words/render.ts'

/**
 * Reason why no file was written. `sameName`: two of the files would get the same name. `unreadable`: the disk does not return the file.
 */
type WhyNot = RewriteRefusal | 'sameName' | 'unreadable'

/** Outcome of one of several files. */
type Result =
  | (Omit<RewriteSummary, 'kind'> & { file: string; state: 'done'; kind: string })
  | { file: string; state: 'refused'; why: WhyNot; target: string | null; problem: Message }

export async function rewriteFiles(command: Command, action: RewriteAction, words: string[]): Promise<ExitCode> {
  const { signal } = command
  try {
    return await faultsTranslated(async () => {
      const { named, target } = await places(words)
      const { files, unread } = await findFiles(world.disk, named, { signal, wants: wantedBy(action) })
      noteUnread(command.output, { unread })
      if (files.length === 0)
        throw new Fault('notFound', message('cli.rewrite.none', { action, paths: named.join(', ') }))
      const isOne = files.length === 1 && files[0]?.path === named[0]
      const results = await rewritten(command, { action, files, target, isOne })
      command.output.result({ files: results }, () => results.map(resultText).join('\n'))
      return results.every(isFine) && unread.length === 0 ? 0 : 1
    })
  } catch (error) {
    if (signal.aborted) throw new Fault('stopped', message('cli.stopped.partial'), { cause: error })
    throw error
  }
}

/** Selects the sources in a folder. Files made by an earlier run, and unfinished ones, are not sources. */
function wantedBy(action: RewriteAction): NonNullable<FindOptions['wants']> {
  return (recognised, name) => {
    if (isRewritten(name, action) || name.endsWith('.part')) return false
    if (action === 'convert') return recognised.form === 'arc' || recognised.form === 'har'
    return isArchiveFile(recognised, name) && !/\.wacz$/i.test(name)
  }
}

type Target = RewriteInput['target'] | undefined

/** Separates the arguments into source files and the destination. */
async function places(words: string[]): Promise<{ named: string[]; target: Target }> {
  const last = words.at(-1)
  if (last === undefined || words.length === 1) return { named: words, target: undefined }
  const there = await world.disk.stat(resolve(last))
  const isFolder = there?.kind === 'folder' || /[/\\]$/.test(last)
  if (words.length > 2 && !isFolder) return { named: words, target: undefined }
  const named = words.slice(0, -1)
  const source = await world.disk.stat(resolve(named[0] ?? ''))
  if (!source) throw new Fault('notFound', message('files.absent', { path: named[0] ?? '' }))
  if (isFolder || source.kind === 'folder') {
    if (there?.kind === 'file') throw new Fault('refused', message('cli.rewrite.isFile', { path: last }))
    await world.disk.makeFolder(resolve(last))
    return { named, target: { folder: resolve(last) } }
  }
  const folder = dirname(resolve(last))
  if (!(await world.disk.stat(folder))) throw new Fault('notFound', message('cli.rewrite.noFolder', { path: folder }))
  return { named, target: { file: resolve(last) } }
}

interface Wanted {
  action: RewriteAction
  files: FoundFile[]
  target: Target
  /** Whether there is only one file: its refusal is the result of the command; among several it is one line of many. */
  isOne: boolean
}

async function rewritten(command: Command, { action, files, target, isOne }: Wanted): Promise<Result[]> {
  const stop = new AbortController()
  const signal = AbortSignal.any([command.signal, stop.signal])
  const progress = shownProgress(command, action, files)
  const taken = new Map<string, string>()
  const work = async (file: FoundFile): Promise<Result> => {
    const source = resolve(file.path)
    const place = target ?? { folder: dirname(source) }
    const name = 'folder' in place ? join(place.folder, rewrittenName(source, action, 'warc')) : place.file
    const other = taken.get(name)
    if (other !== undefined) return sameName(file.path, other)
    taken.set(name, file.path)
    const shown = progress(file)
    const input: RewriteInput = { action, source, target: place, software: `Loupe ${command.version}` }
    const outcome = await outcomeOf(input, { signal, onReport: shown.onReport }, isOne)
    shown.onEnd()
    return outcome.kind === 'done'
      ? { file: file.path, state: 'done', ...outcome.summary, kind: textOf(outcome.summary.kind) }
      : { file: file.path, state: 'refused', why: outcome.why, target: outcome.target, problem: outcome.problem }
  }
  const running = new Set<Promise<unknown>>()
  const counted = (file: FoundFile) => {
    const begun = work(file).finally(() => running.delete(begun))
    running.add(begun)
    return begun
  }
  const results: Result[] = []
  try {
    for await (const result of inOrder(files, counted, { atOnce: availableParallelism(), aheadMax }))
      results.push(result)
    return results
  } finally {
    // When one file ends in a fault, the others are stopped, and remove what is unfinished.
    stop.abort()
    await Promise.allSettled(running)
  }
}

/** Reports a clash of names: x.warc and x.warc.gz in one folder would be written to the same new file at once. */
function sameName(file: string, other: string): Result {
  const problem = message('cli.rewrite.sameName', { other })
  return { file, state: 'refused', why: 'sameName', target: null, problem }
}

const faultOf: Record<RewriteRefusal, FaultCode> = {
  exists: 'refused',
  wrongKind: 'refused',
  nothing: 'refused',
  sourceChanged: 'refused',
  differs: 'damaged',
}

type Outcome =
  | Extract<RewriteOutcome, { kind: 'done' }>
  | { kind: 'refused'; why: WhyNot; target: string | null; problem: Message }

async function outcomeOf(
  input: RewriteInput,
  options: Parameters<typeof rewriteFile>[2],
  isOne: boolean,
): Promise<Outcome> {
  try {
    const outcome = await faultsTranslated(() => rewriteFile(world, input, options))
    if (outcome.kind === 'refused' && isOne) throw new Fault(faultOf[outcome.why], outcome.problem)
    return outcome
  } catch (error) {
    // A full disk concerns every file.
    const isOfThisFile = error instanceof Fault && error.code !== 'noSpace' && error.code !== 'stopped'
    if (isOne || !isOfThisFile || options?.signal?.aborted) throw error
    return { kind: 'refused', why: 'unreadable', target: null, problem: userMessageOf(error) }
  }
}

/**
 * Whether the result counts as success. A complete file that already exists was made by an earlier run: running the verb again continues
 * after it.
 */
function isFine(result: Result): boolean {
  if (result.state === 'refused') return result.why === 'exists'
  return result.leftOut.total + result.changed.total === 0
}

const progressMs = 200

/** Shows progress. Every file is read several times, so each is shown by its progress through its own steps. */
function shownProgress({ output }: Command, action: RewriteAction, files: FoundFile[]) {
  const steps: RewriteProgress['step'][] =
    action === 'recompress' ? ['writing', 'checking'] : ['hashing', 'writing', 'checking']
  const startMs = performance.now()
  const total = { files: files.length, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0) }
  const progress = { filesDone: 0, bytesDone: 0 }
  let shownMs = -Infinity
  return ({ bytes: fileBytes }: FoundFile) => {
    let done = 0
    const show = (share: number) => {
      progress.bytesDone += Math.round(share * fileBytes) - done
      done = Math.round(share * fileBytes)
      if (performance.now() - shownMs < progressMs) return
      shownMs = performance.now()
      output.progress(
        progressText(message(`cli.doing.${action}`), progress, { ...total, seconds: (shownMs - startMs) / 1000 }),
      )
    }
    return {
      onReport: ({ step, bytes, bytesTotal }: RewriteProgress) =>
        show(Math.min(1, (steps.indexOf(step) + bytes / Math.max(1, bytesTotal)) / steps.length)),
      onEnd() {
        progress.filesDone += 1
        show(1)
      },
    }
  }
}

/** Places of a file that are shown; --json has them all. */
const shownMax = 20

function resultText(result: Result): string {
  if (result.state === 'refused') return textFor('figure.named', { name: result.file, text: result.problem })
  const { file, kind, target, records, bytes, leftOut, changed } = result
  const lines = [textFor('cli.rewrite.done', { file, kind, target, records, size: bytesText(bytes) })]
  if (leftOut.total > 0)
    lines.push(textFor('cli.rewrite.leftOut', { count: leftOut.total }), ...leftOutText(leftOut.items))
  if (changed.total > 0)
    lines.push(textFor('cli.rewrite.changed', { count: changed.total }), ...changedText(changed.items))
  if (leftOut.total + changed.total > 2 * shownMax) lines.push(textFor('cli.rewrite.json'))
  return lines.join('\n')
}

function leftOutText(items: RewriteSummary['leftOut']['items']): string[] {
  const rows = items
    .slice(0, shownMax)
    .map(({ from, to, rule, message }) => [from, to ?? textFor('cell.rangeEnd'), rule, textOf(message)])
  return indented(table(['>from', '>to', 'rule', 'what'], rows))
}

function changedText(items: RewriteSummary['changed']['items']): string[] {
  const rows = items
    .slice(0, shownMax)
    .map(({ from, record, rules, messages }) => [from, record, rules.join(', '), messages.map(textOf).join(' ')])
  return indented(table(['>offset', 'record', 'rules', 'what'], rows))
}

function indented(text: string): string[] {
  return text.split('\n').map((line) => `    ${line}`)
}

/** The verb `loupe index`: prints the index lines of archive files, in the order of the files or sorted. */
import { nearest } from '../../../contract/text/nearest.ts'
import { Fault } from '../../../contract/calls/faults.ts'
import { indexAction } from '../../../files/index/indexAction.ts'
import type { FileOutcome } from '../../../files/work/fileWork.ts'
import type { IndexOptions, IndexSummary } from '../../../files/index/indexLines.ts'
import { merged } from '../../../files/disk/sortedLines.ts'
import { filesGiven, paceOf, workOnFiles, world, type FilesGiven } from '../session/archiveFiles.ts'
import { boundedNotes } from '../output/boundedNotes.ts'
import type { Command, ExitCode } from '../session/command.ts'
import { withTemporaryFolder } from '../input/temporaryFolder.ts'
import { countsOf } from './checkReport.ts'
import { message, type Message } from '../../../contract/words/message.ts'
import { textFor, textOf } from '../../../contract/words/render.ts'

export interface IndexWanted extends Omit<IndexOptions, 'digests' | 'sortIn' | 'types'> {
  sort: boolean
  /** Record types as they were typed. */
  types?: readonly string[]
}

export async function indexFiles(command: Command, paths: readonly string[], wanted: IndexWanted): Promise<ExitCode> {
  const given = await filesGiven(command, paths)
  return withTemporaryFolder((folder) => indexInto(command, { given, wanted, folder }))
}

interface Indexing {
  given: FilesGiven
  wanted: IndexWanted
  folder: () => Promise<string>
}

async function indexInto(command: Command, { given, wanted, folder }: Indexing): Promise<ExitCode> {
  const { output } = command
  const { sort, types, ...rest } = wanted
  const { indexHeader, indexTypes } = await import('../../../files/index/indexLines.ts')
  const index: Omit<IndexOptions, 'digests'> = { ...rest, ...(types && { types: known(types, indexTypes) }) }
  await output.part(`${indexHeader(index)}\n`)
  const total = { captures: 0, bad: given.unread.length > 0 }
  const runs: string[] = []
  const notes = boundedNotes(output, (count) => message('figure.moreFiles', { count }))
  const work = await workOnFiles(command, given, {
    doing: message('cli.doing.index'),
    action: indexAction,
    // An index takes the payload digest that a record states; only a check verifies it.
    options: { ...index, digests: 'trust', ...(sort && { sortIn: await folder() }) },
    spoolFolder: folder,
    onLines: (_, lines) => output.part(lines),
    onEnd: async ({ path }, outcome) => {
      const problem = problemOf(path, outcome)
      if (problem) notes.note(textOf(problem))
      if (outcome.kind === 'unreadable' || outcome.summary.errors > 0) total.bad = true
      if (outcome.kind === 'unreadable') return
      total.captures += outcome.summary.captures
      runs.push(...outcome.summary.runs)
    },
  })
  notes.end()
  if (sort) {
    for await (const lines of merged({ world, folder: await folder() }, runs)) {
      command.signal.throwIfAborted()
      await output.part(lines)
    }
  }
  const { captures } = total
  output.note(textFor('cli.index.summary', { captures, files: given.files.length, pace: paceOf(given, work) }))
  return total.bad ? 1 : 0
}

function known<Type extends string>(words: readonly string[], types: readonly Type[]): Type[] {
  return words.map((word) => {
    const type = types.find((known) => known === word)
    if (type !== undefined) return type
    const near = nearest(word, types)
    throw new Fault(
      'badInput',
      near === undefined
        ? message('cli.records.noType', { type: word, known: types.join(', ') })
        : message('cli.records.noType.near', { type: word, near }),
    )
  })
}

/** Returns what has to be reported about a file; undefined when there is nothing. */
function problemOf(path: string, outcome: FileOutcome<IndexSummary>): Message | undefined {
  if (outcome.kind === 'unreadable') return message('cli.file.unreadable', { path, problem: outcome.problem })
  const { errors, warnings, captures } = outcome.summary
  const found = countsOf({ errors, warnings, notes: 0 })
  return found && message('cli.index.file', { path, captures, found })
}

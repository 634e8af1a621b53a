/** Makes ledgers from the index of the whole archive, in a thread. */
import { createHash } from 'node:crypto'
import type { Archive } from '../../archive/store/archive.ts'
import type { Selection } from '../../contract/shapes/selection.ts'
import { unlessAborted } from '../../world/unlessAborted.ts'
import type { World } from '../../world/world.ts'
import type { Builds } from '../build/builds.ts'
import { withDatabase } from '../build/withDatabase.ts'
import type { MissingFile } from '../lines/captureLines.ts'
import { keptReferencesMax } from '../model/limits.ts'
import type { ElsewhereInput, FoundElsewhere } from './elsewhere.thread.ts'
import type { LackingInput } from './lacksOriginals.thread.ts'
import { emptyLedger, type Ledger, type LedgerInput } from './ledger.ts'

/** A ledger, with the files that could not be read for it. */
export interface ReportedLedger extends Ledger {
  filesMissing: readonly MissingFile[]
}

/** What is considered. */
export interface LedgerAsked {
  /** Only captures of these jobs; absent: all. */
  jobs?: readonly number[] | undefined
  signal: AbortSignal
}

interface Parts {
  world: World
  archive: Pick<Archive, 'everything' | 'selected' | 'pathOfFile'>
  builds: Pick<Builds, 'of' | 'countUse'>
  /** Aborted when the indexes are closed. */
  closed: AbortSignal
}

/** Makes ledgers. */
export interface LedgerReader {
  /** The ledger of the whole archive, or of some jobs in it. */
  ledger(asked: LedgerAsked): Promise<ReportedLedger>
  /** Revisits in the files of a selection whose originals are in other files of the archive. The index of the whole archive is needed only
   *  if there are any. */
  revisitsElsewhere(selection: Selection, signal: AbortSignal): Promise<FoundElsewhere>
}

const whole = { all: true } as const

/** Opens the reader. */
export function ledgerReader({ world, archive, builds, closed }: Parts): LedgerReader {
  async function copiesOf(files: readonly { name: string }[]): Promise<Map<string, string>> {
    const copies = new Map<string, string>()
    for (const { name } of files) {
      const copy = await archive.pathOfFile(name)
      if (copy) copies.set(name, copy.path)
    }
    return copies
  }

  /** The last ledger, which the parts of one page ask for together and again. One with more than `keptReferencesMax` references is shared
   *  only by those who ask while it is made. */
  let last: { name: string; ledger: Promise<Ledger> } | undefined

  function ledgerIn(input: LedgerInput): Promise<Ledger> {
    const { database, copies, jobs } = input
    const name = createHash('sha256')
      .update(JSON.stringify([database, [...copies.keys()], jobs]))
      .digest('hex')
    if (last?.name === name) return last.ledger
    const module = new URL('./ledger.thread.ts', import.meta.url)
    const ledger = world.threads.run<LedgerInput, Ledger>(module, input, { signal: closed })
    const made = { name, ledger }
    last = made
    const forget = () => void (last === made && (last = undefined))
    // Those who wait get the error; the next one tries again.
    ledger.then(({ references }) => (references.length > keptReferencesMax ? forget() : undefined), forget)
    return ledger
  }

  return {
    async ledger({ jobs, signal: asked }) {
      const selected = await archive.everything()
      const signal = AbortSignal.any([asked, closed])
      signal.throwIfAborted()
      if (selected.files.length === 0) return { ...emptyLedger, filesMissing: [] }
      return withDatabase(builds, { selection: whole, selected, signal }, async (database, filesMissing) => {
        const copies = await copiesOf(selected.files)
        return { ...(await unlessAborted(ledgerIn({ database, copies, jobs }), signal)), filesMissing }
      })
    },
    async revisitsElsewhere(selection, asked) {
      const none = { revisits: [], isAll: true }
      if (selection.all === true) return none
      const signal = AbortSignal.any([asked, closed])
      const here = archive.selected(selection)
      if (here.files.length === 0) return none
      const lacks = await withDatabase(builds, { selection, selected: here, signal }, async (database) => {
        const module = new URL('./lacksOriginals.thread.ts', import.meta.url)
        const input = { database, copies: await copiesOf(here.files) }
        return world.threads.run<LackingInput, boolean>(module, input, { signal })
      })
      if (!lacks) return none
      const selected = await archive.everything()
      return withDatabase(builds, { selection: whole, selected, signal }, async (database) => {
        const files = new Set(here.files.map(({ name }) => name))
        const input = { database, copies: await copiesOf(selected.files), files }
        const module = new URL('./elsewhere.thread.ts', import.meta.url)
        return world.threads.run<ElsewhereInput, FoundElsewhere>(module, input, { signal })
      })
    },
  }
}

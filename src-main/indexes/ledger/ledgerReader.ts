/** Makes the ledger from the index of the whole archive, in a thread. */
import type { Archive } from '../../archive/store/archive.ts'
import { unlessAborted } from '../../world/unlessAborted.ts'
import type { World } from '../../world/world.ts'
import type { Builds } from '../build/builds.ts'
import type { MissingFile } from '../lines/captureLines.ts'
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
  archive: Pick<Archive, 'everything' | 'pathOfFile'>
  builds: Pick<Builds, 'of' | 'countUse'>
  /** Aborted when the indexes are closed. */
  closed: AbortSignal
}

const whole = { all: true } as const

/** Returns the function that makes ledgers. */
export function ledgerReader({
  world,
  archive,
  builds,
  closed,
}: Parts): (asked: LedgerAsked) => Promise<ReportedLedger> {
  async function copiesOf(names: readonly string[]): Promise<Map<string, string>> {
    const copies = new Map<string, string>()
    for (const name of names) {
      const copy = await archive.pathOfFile(name)
      if (copy) copies.set(name, copy.path)
    }
    return copies
  }

  return async ({ jobs, signal: asked }) => {
    const selected = await archive.everything()
    const signal = AbortSignal.any([asked, closed])
    signal.throwIfAborted()
    if (selected.files.length === 0) return { ...emptyLedger, filesMissing: [] }
    const build = builds.of(whole, selected, {})
    const ends = [build.hold(signal), builds.countUse(whole)]
    try {
      const database = await unlessAborted(build.path, signal)
      const input = { database, copies: await copiesOf(selected.files.map(({ name }) => name)), jobs }
      const module = new URL('./ledger.thread.ts', import.meta.url)
      const ledger = await world.threads.run<LedgerInput, Ledger>(module, input, { signal })
      return { ...ledger, filesMissing: build.manifest.filesMissing }
    } finally {
      ends.forEach((end) => end())
    }
  }
}

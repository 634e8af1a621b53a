/** Which file names a person means with a regular expression: it may match anywhere in the name. It is tried in a thread of
 *  its own with a time limit: `(a+)+$` would hold up the engine for years. */
import type { OwnThread, World } from '../world/world.ts'
import { ArchiveFault } from './archiveFault.ts'
import { deadline } from './deadline.ts'
import { expressionOf } from './nameExpression.ts'
import { matchHeapBytesMax, matchMsMax, matchStopMsMax } from './limits.ts'
import type { NamesToMatch } from './matchNames.thread.ts'

export interface Matcher {
  /** Of these rows those whose names are meant. Throws `ArchiveFault` when the expression takes too long. */
  chosen<Row extends { name: string }>(rows: readonly Row[]): Promise<Row[]>
  /** Ends its thread; whoever opened it does so. */
  close(): void
}

const module = new URL('./matchNames.thread.ts', import.meta.url)

/** `pattern`: null for all. Throws `ArchiveFault` when it is no regular expression. */
export function openMatcher(world: World, pattern: string | null): Matcher {
  if (pattern === null) return { chosen: async (rows) => [...rows], close: () => undefined }
  expressionOf(pattern)
  let thread: OwnThread | undefined

  return {
    async chosen(rows) {
      if (rows.length === 0) return []
      thread ??= world.threads.own({ heapBytesMax: matchHeapBytesMax, stopMsMax: matchStopMsMax })
      const input = { pattern, names: rows.map(({ name }) => name) }
      const isMeant = await matched(world, thread, input)
      return rows.filter((_, at) => isMeant[at])
    },
    close: () => thread?.close(),
  }
}

async function matched(world: World, thread: OwnThread, input: NamesToMatch): Promise<boolean[]> {
  const time = deadline(world.clock, matchMsMax)
  try {
    return await thread.run<NamesToMatch, boolean[]>(module, input, { signal: time.signal })
  } catch (error) {
    if (!time.signal.aborted) throw error
    throw new ArchiveFault(
      'refused',
      `The regular expression ${input.pattern} takes too long on names of files, so it was given up: write it more simply, without one repetition inside another.`,
    )
  } finally {
    await time.end()
  }
}

/** Finds the captures of a search, with what their pages need, in a thread. */
import type { Archive } from '../../archive/store/archive.ts'
import { Fault } from '../../contract/calls/faults.ts'
import { message } from '../../contract/words/message.ts'
import type { World } from '../../world/world.ts'
import type { Builds } from '../build/builds.ts'
import { withDatabase } from '../build/withDatabase.ts'
import { matchedMax } from '../model/limits.ts'
import type { TextIndexes } from '../text/textIndexes.ts'
import type { Matches, MatchesAsked, MatchesInput, TooManyMatches } from './matches.ts'

interface Parts {
  world: World
  archive: Pick<Archive, 'everything' | 'pathOfFile'>
  builds: Pick<Builds, 'of' | 'countUse'>
  text: Pick<TextIndexes, 'captures'>
  /** Aborted when the indexes are closed. */
  closed: AbortSignal
}

/** Returns a function that finds the captures of a search. It rejects with `Fault` refused if there are more than `matchedMax`, and as a
 *  search and `captureIndexFor` do. */
export function matchReader({ world, archive, builds, text, closed }: Parts) {
  return async ({ signal: asked, shownBy = [], ...search }: MatchesAsked): Promise<Matches> => {
    const signal = AbortSignal.any([asked, closed])
    const { mode, query, match, jobs } = search
    const tooMany = () =>
      new Fault('refused', message('export.matches.tooMany', { countMax: matchedMax }), { fields: [['matching']] })
    const captures =
      mode === 'text'
        ? await text.captures({ query, shownBy, limit: matchedMax + 1, ...(jobs && { jobs }) })
        : undefined
    if (captures && captures.length > matchedMax) throw tooMany()
    const selected = await archive.everything()
    signal.throwIfAborted()
    return withDatabase(builds, { selection: { all: true }, selected, signal }, async (database) => {
      const copies = new Map<string, string>()
      for (const { name } of selected.files) {
        const copy = await archive.pathOfFile(name)
        if (copy) copies.set(name, copy.path)
      }
      const input = { database, copies, shownBy, wanted: captures ? { captures } : { query, match, jobs } }
      const module = new URL('./matches.thread.ts', import.meta.url)
      const found = await world.threads.run<MatchesInput, Matches | TooManyMatches>(module, input, { signal })
      if ('countMax' in found) throw tooMany()
      return found
    })
  }
}

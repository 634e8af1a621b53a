/** Findings of a viewing: URLs that its view does not have, archived errors, and records that cannot be read. They are written
 *  in batches, because a page may request hundreds of files per second. If the disk is full they wait in memory and are listed
 *  all the same. Why something is missing is determined elsewhere (`app`).
 *
 *  Each viewing has one list per view. The lists of the shared viewing are kept until they are cleared. The lists of other
 *  viewings are deleted with the viewing. If the disk cannot be written, they stay until the next start, and no new viewing
 *  gets their name. */
import { message } from '../../contract/words/message.ts'
import type { OnProblem } from '../model/onProblem.ts'
import { StorageFault, type Store } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'
import {
  findingBatchMax,
  findingFlushMsMax,
  findingsPerListMax,
  findingsWaitingMax,
  findingUrlCharactersMax,
} from '../model/limits.ts'
import { viewStatements, type FindingList, type FindingRow } from './views.sql.ts'
import { waitingFindings, type Finding, type WaitingFinding } from './waitingFindings.ts'

/** The findings of all viewings. */
export interface Findings {
  /** Adds a finding without waiting for the disk. It is written within `findingFlushMsMax`. */
  note(finding: Finding): void
  /** Missing URLs, oldest first. */
  misses(list: FindingList): FindingRow[]
  /** Archived errors and unreadable captures, oldest first. */
  errors(list: FindingList): FindingRow[]
  /** Numbers of rows in both lists. */
  counts(list: FindingList): { misses: number; errors: number }
  /** Deletes a list and returns the number of rows. Throws `StorageFault`. */
  clear(list: FindingList): number
  /** Deletes the lists of a viewing that has ended. */
  end(viewing: string): void
  /** Whether a viewing of this name has any findings. */
  hasListsOf(viewing: string): boolean
  /** Writes waiting findings if possible. */
  flush(): void
}

/** A missing URL with the requests for it since it was last written. Times are milliseconds since 1970 UTC. */
export interface WrittenMiss extends Pick<Finding, 'view' | 'url' | 'method' | 'resourceType'> {
  /** The page that wanted it; '' where it is unknown. */
  page: string
  firstMs: number
  lastMs: number
  times: number
}

interface Parts {
  store: Store
  world: World
  onProblem: OnProblem
  /** Called with the missing URLs of each batch, in the transaction that writes them. */
  onMissed?: (misses: readonly WrittenMiss[]) => void
}

/** Opens the findings, and deletes the lists of viewings that ended with the last process. */
export function openFindings({ store, world, onProblem, onMissed }: Parts): Findings {
  const sql = viewStatements(store)
  const waiting = waitingFindings(findingsWaitingMax)
  let isFlushing = false
  let hasFailed = false
  // Lists of viewings that ended with the last process.
  ending(() => sql.clearOwn.run({}))

  function write(): void {
    if (waiting.size() === 0) return
    store.transaction(() => {
      const counts = new Map<string, number>()
      for (const { finding, firstMs, lastMs, times } of waiting.all()) {
        if (sql.repeat.run({ ...finding, lastMs, times }) > 0) continue
        const { viewing, view } = finding
        const list = `${viewing} ${view}`
        const count = counts.get(list) ?? sum(sql.count.get({ viewing, view }))
        if (count >= findingsPerListMax) continue
        sql.add.run({ ...finding, firstMs, lastMs, times })
        counts.set(list, count + 1)
      }
      onMissed?.([...waiting.all()].filter(({ finding }) => finding.kind === 'missing').map(writtenMiss))
    })
    waiting.clear()
  }

  async function flushSoon(): Promise<void> {
    if (isFlushing) return
    isFlushing = true
    await world.clock.sleep(findingFlushMsMax)
    isFlushing = false
    flush()
  }

  /** A full disk must not keep browsers from being answered. It is reported once, until writing succeeds again. */
  function flush(): void {
    try {
      write()
      hasFailed = false
    } catch (error) {
      if (!hasFailed) onProblem(error, (problem) => message('viewer.problem.findings', { problem }))
      hasFailed = true
    }
  }

  /** Lists that cannot be deleted now are deleted at the next start. */
  function ending(end: () => void): void {
    try {
      end()
    } catch (error) {
      if (!(error instanceof StorageFault)) throw error
      onProblem(error, (problem) => message('viewer.problem.ending', { problem }))
    }
  }

  /** Rows of a list, with those that are still waiting. */
  const listed = ({ viewing, view }: FindingList, isMiss: 0 | 1): FindingRow[] => {
    flush()
    const list = { viewing, view, isMiss }
    return waiting.addedTo(sql.list.all(list), list)
  }

  return {
    note({ url, referrer, method, initiator, ...rest }) {
      const finding = {
        ...rest,
        url: cut(url),
        referrer: cut(referrer),
        method: cut(method),
        initiator: cut(initiator),
      }
      waiting.add(finding, world.clock.now())
      if (waiting.size() >= findingBatchMax && !hasFailed) flush()
      else void flushSoon()
    },
    misses: (list) => listed(list, 1),
    errors: (list) => listed(list, 0),
    counts({ viewing, view }) {
      flush()
      const list = { viewing, view }
      if (waiting.size() > 0) return { misses: listed(list, 1).length, errors: listed(list, 0).length }
      return sql.count.get(list) ?? { misses: 0, errors: 0 }
    },
    clear({ viewing, view }) {
      flush()
      const list = { viewing, view }
      const cleared = sql.clear.run(list)
      waiting.dropList(list)
      return cleared
    },
    end(viewing) {
      waiting.dropViewing(viewing)
      ending(() => sql.clearViewing.run({ viewing }))
    },
    hasListsOf: (viewing) => sql.anyOf.get({ viewing }) !== undefined,
    flush,
  }
}

const sum = (counts = { misses: 0, errors: 0 }): number => counts.misses + counts.errors

function writtenMiss({ finding, firstMs, lastMs, times }: WaitingFinding): WrittenMiss {
  const { view, url, method, resourceType, initiator, referrer } = finding
  return { view, url, method, resourceType, page: initiator || referrer, firstMs, lastMs, times }
}

/** Shortens a text to what is stored. */
function cut(text: string): string {
  return text.length > findingUrlCharactersMax ? text.slice(0, findingUrlCharactersMax) : text
}

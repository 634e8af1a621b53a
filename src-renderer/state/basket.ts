/** Files gathered for an import. Where the shell knows paths, the engine gets them; in a browser the files are uploaded first, one after
 *  the other. */
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Loupe } from '../../src-main/contract/contract.ts'
import type { Fault } from '../../src-main/contract/calls/faults.ts'
import type { Shell } from '../links/shell.ts'
import { faultFrom } from './loaded.ts'
import { seen, type ProgressSample } from './pace.ts'

export interface Gathered {
  id: number
  name: string
  /** Null for a folder, whose size is unknown. */
  bytes: number | null
  /** The path of a file, or its content. */
  from: string | File
  /** The reason why it is left out; null where it is included. */
  problem: 'empty' | 'sameName' | null
}

export interface Sending {
  name: string
  bytesDone: number
  bytesTotal: number
  samples: readonly ProgressSample[]
}

export interface BasketState {
  gathered: readonly Gathered[]
  /** Files of dropped folders that are no archives by their names. */
  skipped: number
  /** Paths typed by hand, one per line. */
  typed: string
  /** The upload in progress; null if there is none. */
  sending: Sending | null
  /** A request to start the import has not been answered yet. */
  starting: boolean
  refusal: Fault | null
  add(found: { files: readonly File[]; skipped: number }): void
  remove(id: number): void
  clear(): void
  type(typed: string): void
  /** Resolves with the number of the job; null when it was refused or stopped. */
  start(): Promise<number | null>
  /** Stops the upload and removes what was uploaded. */
  stop(): void
}

export type BasketServices = { harvests: Pick<Loupe['harvests'], 'import'> }

const nothing = { gathered: [], skipped: 0, typed: '', sending: null, starting: false, refusal: null }

export function makeBasket({ harvests }: BasketServices, files: Shell['files']): StoreApi<BasketState> {
  let lastId = 0
  let stopping = new AbortController()

  const store = createStore<BasketState>()((set, get) => ({
    ...nothing,
    add: ({ files: found, skipped }) => {
      const added = found.map((file): Gathered => {
        lastId += 1
        const { name, size } = file
        return files.are === 'paths'
          ? // A folder is identified by its path; its size here is that of a directory entry.
            { id: lastId, name, bytes: null, from: files.pathOf(file), problem: null }
          : { id: lastId, name, bytes: size, from: file, problem: size === 0 ? 'empty' : null }
      })
      set(({ gathered, skipped: before }) => ({
        gathered: withTwinsMarked(withoutRepeats([...gathered, ...added])),
        skipped: before + skipped,
        refusal: null,
      }))
    },
    remove: (id) =>
      set(({ gathered }) => ({ gathered: withTwinsMarked(gathered.filter((one) => one.id !== id)), refusal: null })),
    clear: () => set(nothing),
    type: (typed) => set({ typed, refusal: null }),
    start: async () => {
      stopping = new AbortController()
      const { typed } = get()
      const going = goingIn(get())
      set({ starting: true, refusal: null })
      const given: string[] = []
      try {
        const paths = await pathsOf(going, given)
        const { job } = await harvests.import({ paths: [...paths, ...linesIn(typed)] })
        set(nothing)
        return job
      } catch (error) {
        const refusal = stopping.signal.aborted ? null : faultFrom(error)
        await takeBack(given)
        set({ refusal, starting: false, sending: null })
        return null
      }
    },
    stop: () => stopping.abort(),
  }))

  /** `given`: collects the names of uploaded files, including incomplete ones. */
  async function pathsOf(going: readonly Gathered[], given: string[]): Promise<string[]> {
    const bytesTotal = going.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0)
    const paths: string[] = []
    let bytesBefore = 0
    let samples: ProgressSample[] = []
    for (const { name, from, bytes } of going) {
      if (typeof from === 'string') {
        paths.push(from)
        continue
      }
      if (files.are === 'paths') throw new Error(`${name} has a path, and none was asked for`)
      const show = (bytesOfFile: number) => {
        const bytesDone = bytesBefore + bytesOfFile
        samples = seen(samples, { atMs: performance.now(), done: bytesDone })
        store.setState({ sending: { name, bytesDone, bytesTotal, samples } })
      }
      show(0)
      given.push(name)
      paths.push(await files.handOver.give(from, { signal: stopping.signal, onProgress: show }))
      bytesBefore += bytes ?? 0
    }
    return paths
  }

  async function takeBack(given: readonly string[]): Promise<void> {
    if (files.are === 'paths') return
    for (const name of given) {
      // Files that remain are removed at the engine's next start; the user gets the fault that stopped the import.
      await files.handOver
        .takeBack(name)
        .catch((error: unknown) => console.warn(`Loupe: ${name} could not be removed`, error))
    }
  }

  return store
}

/** The paths that an import would include now, besides the typed ones. */
export function goingIn({ gathered }: Pick<BasketState, 'gathered'>): Gathered[] {
  return gathered.filter(({ problem }) => problem === null)
}

export function linesIn(typed: string): string[] {
  return typed
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

/** A file that is dropped twice is included once. */
function withoutRepeats(gathered: readonly Gathered[]): Gathered[] {
  const known = new Set<string>()
  return gathered.filter(({ from, bytes }) => {
    const identity = typeof from === 'string' ? from : `${from.name} ${bytes} ${from.lastModified}`
    return !known.has(identity) && known.add(identity)
  })
}

/** Marks files of the same name from different folders, because the engine can take only one of them. */
function withTwinsMarked(gathered: readonly Gathered[]): Gathered[] {
  const known = new Set<string>()
  return gathered.map((one) => {
    if (typeof one.from === 'string' || one.problem === 'empty') return one
    const problem = known.has(one.name) ? 'sameName' : null
    known.add(one.name)
    return { ...one, problem }
  })
}

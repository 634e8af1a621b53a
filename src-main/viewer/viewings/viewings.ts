/** Viewings: who views what. One viewing is shared by all browsers without credentials, the interface among them. Every other
 *  one has a user name and password for the proxy connection, and its own selection, moment and index, so that two windows on
 *  one port never mix. Viewings and their findings (`findings.ts`) end with the process; views (`views.ts`) are stored. */
import { message } from '../../contract/words/message.ts'
import type { OnProblem } from '../model/onProblem.ts'
import type { Archive } from '../../archive/store/archive.ts'
import type { Caller } from '../../contract/calls/caller.ts'
import { Fault } from '../../contract/calls/faults.ts'
import type { BuildOptions, CaptureIndex, Indexes } from '../../indexes/indexes.ts'
import type { World } from '../../world/world.ts'
import { isToken, sharedUser } from '../model/commandToken.ts'
import { viewingsMax } from '../model/limits.ts'
import { noFiles } from './missingFiles.ts'
import type { ProxyCredentials } from '../model/proxyCredentials.ts'
import { shownSelection, type Chosen, type View, type Views } from './views.ts'
import { watchIndex, type WatchedView } from './watchIndex.ts'

/** A view that a viewing shows, with its open index. */
export interface Shown extends WatchedView {
  /** A label for as long as it is shown. It is not a stored name (`views.ts`). */
  label: string | undefined
}

/** How a selection is shown. */
export interface ShowOptions extends BuildOptions {
  label?: string
}

/** One viewing. */
export interface Viewing {
  /** User name; '' is the shared viewing. */
  readonly user: string
  readonly password: string
  /** Proves that a command comes from the user (`commandProof.ts`). No browser gets it. */
  readonly commandToken: string
  /** Who opened it; for the shared viewing, the account that runs the engine. */
  readonly caller: Caller
  /** Missing resources are added to the findings. */
  isRecording: boolean
  /** Builds or reuses the index of the selection and shows it. If this rejects, the previous view stays. If several calls
   *  overlap, the last one wins and the others reject with `Fault` refused. */
  show(chosen: Chosen, options?: ShowOptions): Promise<void>
  /** Resolves when the index of the view is complete or has failed, and its files were checked. Rejects with `Fault` refused if
   *  another view is shown before that, or the viewing is closed. */
  filesChecked(): Promise<void>
  current(): Shown | undefined
  /** The current view, whose index stays open until `release` even if the viewing shows another view. */
  borrow(): (Shown & { release: () => void }) | undefined
}

/** The viewing of a request. */
export interface Requester {
  viewing: Viewing
  /** The password was the command token of the viewing. */
  hasCommandToken: boolean
}

/** The viewings of the viewer: the shared one, and one for each separate browser. */
export interface Viewings {
  /** The viewing of browsers that send no credentials. */
  readonly shared: Viewing
  /** The viewing with these credentials. Undefined if there is none. */
  of(credentials: ProxyCredentials | undefined): Requester | undefined
  /** Opens a viewing of its own. Throws `Fault` refused if there are `viewingsMax` already. */
  open(caller: Caller): Viewing
  /** Closes a viewing. False if there is none with this user name. */
  leave(user: string): boolean
  /** All viewings except the shared one, oldest first. */
  own(): Viewing[]
  /** Closes all viewings and resolves when their background work has ended. */
  close(): Promise<void>
}

interface Parts {
  views: Views
  indexes: Indexes
  archive: Archive
  world: World
  /** Whose requests those without credentials are. */
  operator: Caller
  /** Whether the shared viewing, too, is only for who has its command token, because others reach the proxy. */
  needsCredentials: boolean
  /** Whether findings of an earlier viewing with this name still exist, possibly from an earlier run. */
  isTaken: (user: string) => boolean
  /** Called when a viewing shows another view, or its view has changed. */
  onChange: (viewing: Viewing) => void
  onProblem: OnProblem
}

/** Makes the viewings: the shared one, which shows nothing yet. */
export function openViewings(parts: Parts): Viewings {
  const { world, operator } = parts
  /** Background work of all viewings. */
  const tasks = new Set<Promise<void>>()
  const newToken = () => world.chance.uuid()
  const shared = openViewing(
    { ...parts, tasks },
    { user: '', password: '', commandToken: newToken(), caller: operator },
  )
  const own = new Map<string, ReturnType<typeof openViewing>>()
  let number = 0
  function newName(): string {
    let name
    do name = `viewing-${++number}`
    while (parts.isTaken(name))
    return name
  }
  return {
    shared,
    of(credentials) {
      if (credentials === undefined)
        return parts.needsCredentials ? undefined : { viewing: shared, hasCommandToken: false }
      const { user, password } = credentials
      const viewing = user === sharedUser ? shared : own.get(user)
      if (viewing === undefined) return undefined
      if (isToken(password, viewing.commandToken)) return { viewing, hasCommandToken: true }
      return viewing !== shared && password === viewing.password ? { viewing, hasCommandToken: false } : undefined
    },
    open(caller) {
      if (own.size >= viewingsMax) throw new Fault('refused', message('viewer.full', { max: viewingsMax }))
      const user = newName()
      const viewing = openViewing(
        { ...parts, tasks },
        { user, password: world.chance.uuid(), commandToken: newToken(), caller },
      )
      own.set(user, viewing)
      return viewing
    },
    leave(user) {
      own.get(user)?.close()
      return own.delete(user)
    },
    own: () => [...own.values()],
    async close() {
      for (const viewing of [shared, ...own.values()]) viewing.close()
      await Promise.allSettled(tasks)
    },
  }
}

/** What a single viewing needs. */
interface ViewingParts extends Parts {
  tasks: Set<Promise<void>>
}

/** Makes a viewing. Its index is held until another view is shown, and longer by requests that have borrowed it. */
function openViewing(
  parts: ViewingParts,
  who: Pick<Viewing, 'user' | 'password' | 'commandToken' | 'caller'>,
): Viewing & { close(): void } {
  const { views, indexes, tasks, onChange } = parts
  let held: ReturnType<typeof holding> | undefined
  /** The call of `show` that is waiting for its index. */
  let asked: AbortController | undefined
  /** Background work for the current view. */
  let watching = { over: new AbortController(), looked: Promise.resolve() }

  function startWatching(shown: Shown): void {
    const over = new AbortController()
    const looked = watchIndex(shown, { ...parts, onUpdate: () => onChange(viewing), signal: over.signal })
    watching = { over, looked }
    tasks.add(looked)
    // Callers of `filesChecked` get the error.
    looked.catch(() => undefined).finally(() => tasks.delete(looked))
  }

  const viewing: Viewing & { close(): void } = {
    ...who,
    isRecording: true,
    async show(chosen, { label, signal, ...options } = {}) {
      const before = asked
      const own = (asked = new AbortController())
      const either = signal ? AbortSignal.any([own.signal, signal]) : own.signal
      try {
        const waited = indexes.captureIndexFor(shownSelection(chosen), { ...options, signal: either })
        // Not earlier: if both want the same selection, they share one index.
        supersede(before)
        const index = await waited
        if (own.signal.aborted) {
          index.close()
          throw own.signal.reason
        }
        const entered = holding({ view: enter(views, chosen, index), index, label, filesLost: noFiles() })
        supersede(watching.over)
        held?.release()
        held = entered
        onChange(viewing)
        startWatching(entered.shown)
      } finally {
        if (asked === own) asked = undefined
      }
    },
    filesChecked: () => watching.looked,
    current: () => held?.shown,
    borrow: () => held?.borrow(),
    close() {
      viewing.isRecording = false
      supersede(asked)
      supersede(watching.over)
      held?.release()
      held = undefined
    },
  }
  return viewing
}

/** Finds or creates the view; closes the index if that fails. */
function enter(views: Views, chosen: Chosen, index: CaptureIndex): View {
  try {
    return views.enter(chosen)
  } catch (error) {
    index.close()
    throw error
  }
}

/** Ends a call of `show`, or the background work of a view, because another one takes its place. */
function supersede(asked: AbortController | undefined): void {
  asked?.abort(new Fault('refused', message('viewer.superseded')))
}

/** Counts the holders of a view and closes its index with the last one. */
function holding(shown: Shown) {
  let holders = 1
  const release = () => {
    holders -= 1
    if (holders === 0) shown.index.close()
  }
  return {
    shown,
    release,
    borrow() {
      holders += 1
      return { ...shown, release }
    },
  }
}

/** Viewings: who looks at what. One is the interface's, asked by every browser that gives no name; each further one has a name and a
 *  password for the proxy connection, its own selection, moment and index, so that two windows on one port never mix. They live as long
 *  as Loupe runs, and so do their lists of what is missing (`findings.ts`); what they look at (`views.ts`) is kept. */
import type { Archive } from '../../archive/store/archive.ts'
import { Fault } from '../../contract/calls/faults.ts'
import type { BuildOptions, CaptureIndex, Indexes } from '../../indexes/indexes.ts'
import type { World } from '../../world/world.ts'
import { isToken, sharedUser } from '../model/commandToken.ts'
import { viewingsMax } from '../model/limits.ts'
import { noFiles } from './missingFiles.ts'
import type { ProxyCredentials } from '../model/proxyCredentials.ts'
import type { Chosen, View, Views } from './views.ts'
import { watchIndex, type WatchedView } from './whileShown.ts'

export interface Shown extends WatchedView {
  /** As whoever chose it calls it, for as long as it is shown; it is no name that is kept (`views.ts`). */
  label: string | undefined
}

export interface ShowOptions extends BuildOptions {
  label?: string
}

export interface Viewing {
  /** '' is the interface's. */
  readonly user: string
  readonly password: string
  /** Proves that commands are the user's own (`commandProof.ts`): no browser is given it. */
  readonly commandToken: string
  /** What is missing is written down. */
  isRecording: boolean
  /** Builds or reuses the index of the selection and shows it from then on. What was shown before stays when this rejects. Of several
   *  that are asked for at once the last is shown, and those before it reject with `Fault` refused. */
  show(chosen: Chosen, options?: ShowOptions): Promise<void>
  /** When the index of what it shows is whole, or cannot be, and its files were looked for. Rejects with `Fault` refused when something
   *  else is shown before that, or it is left. */
  filesChecked(): Promise<void>
  current(): Shown | undefined
  /** Holds it open until `release`: the viewing may show something else meanwhile. */
  borrow(): (Shown & { release: () => void }) | undefined
}

export interface Requester {
  viewing: Viewing
  /** The password was the viewing's command token. */
  hasCommandToken: boolean
}

export interface Viewings {
  /** Of browsers that give no name. */
  readonly shared: Viewing
  /** Undefined: nobody has this name and password. */
  of(credentials: ProxyCredentials | undefined): Requester | undefined
  /** Rejects with `Fault` refused when there are too many. */
  open(): Viewing
  leave(user: string): boolean
  /** Of their own, oldest first. */
  own(): Viewing[]
  /** When it resolves nothing goes on beside them any more. */
  close(): Promise<void>
}

interface Parts {
  views: Views
  indexes: Indexes
  archive: Archive
  world: World
  /** Something is left of a viewing that had this name, perhaps before Loupe was started. */
  isTaken: (user: string) => boolean
  /** It shows something else, or there is more in what it shows. */
  onChange: (viewing: Viewing) => void
  onProblem: (error: unknown, doing: string) => void
}

export function openViewings(parts: Parts): Viewings {
  const { world } = parts
  /** What goes on beside any of them. */
  const tasks = new Set<Promise<void>>()
  const newToken = () => world.chance.uuid()
  const shared = openViewing({ ...parts, tasks }, { user: '', password: '', commandToken: newToken() })
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
      if (credentials === undefined) return { viewing: shared, hasCommandToken: false }
      const { user, password } = credentials
      const viewing = user === sharedUser ? shared : own.get(user)
      if (viewing === undefined) return undefined
      if (isToken(password, viewing.commandToken)) return { viewing, hasCommandToken: true }
      return viewing !== shared && password === viewing.password ? { viewing, hasCommandToken: false } : undefined
    },
    open() {
      if (own.size >= viewingsMax)
        throw new Fault(
          'refused',
          `${viewingsMax} viewings are open, which is as many as there can be: leave one first.`,
        )
      const user = newName()
      const viewing = openViewing(
        { ...parts, tasks },
        { user, password: world.chance.uuid(), commandToken: newToken() },
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

interface ViewingParts extends Parts {
  tasks: Set<Promise<void>>
}

function openViewing(
  parts: ViewingParts,
  who: Pick<Viewing, 'user' | 'password' | 'commandToken'>,
): Viewing & { close(): void } {
  const { views, indexes, tasks, onChange } = parts
  let held: ReturnType<typeof holding> | undefined
  /** What is to be shown, and is waited for. */
  let asked: AbortController | undefined
  /** Of what it shows. */
  let watching = { over: new AbortController(), looked: Promise.resolve() }

  function startWatching(shown: Shown): void {
    const over = new AbortController()
    const looked = watchIndex(shown, { ...parts, onUpdate: () => onChange(viewing), signal: over.signal })
    watching = { over, looked }
    tasks.add(looked)
    // Whoever waits for it hears why it ended early.
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
        const waited = indexes.captureIndexFor(chosen, { ...options, signal: either })
        // Only now: where both are of the same selection, one index is made.
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

function enter(views: Views, chosen: Chosen, index: CaptureIndex): View {
  try {
    return views.enter(chosen)
  } catch (error) {
    index.close()
    throw error
  }
}

function supersede(asked: AbortController | undefined): void {
  asked?.abort(new Fault('refused', 'Something else was chosen meanwhile, or the viewing was left.'))
}

/** Closes the index when nobody holds it any more. */
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

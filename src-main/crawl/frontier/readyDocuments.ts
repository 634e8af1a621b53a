/** The documents of the ready buffer: by host, in the order in which hosts are served, and counted by job. When a host may be
 *  asked is decided in `readyBuffer.ts`. */
import type { DocumentToFetch } from '../model/document.ts'
import type { HostTurn, JobSlot, Server } from './servers.ts'

/** A claimed document with the turn of its host. */
export interface ReadyDocument {
  turn: HostTurn
  document: DocumentToFetch
}

/** Documents by host. */
export interface ReadyDocuments {
  readonly count: number
  countOf(slot: JobSlot): number
  /** Hosts with documents, in the order in which they are served: a host that was served goes to the end. */
  hosts(): Iterable<readonly [Server, readonly ReadyDocument[]]>
  of(server: Server): readonly ReadyDocument[]
  /** Adds a document after the others of its host; robots.txt before them, since they wait for it. */
  put(ready: ReadyDocument): void
  /** Takes the document at this index; its host is now served last. It stays counted for its host until `leave`. */
  take(server: Server, at: number): ReadyDocument | undefined
  /** Removes the documents of a host that match, and returns them. */
  remove(server: Server, matches: (ready: ReadyDocument) => boolean): ReadyDocument[]
  /** Counts another document that is in flight for its host, until `leave`. */
  join(turn: HostTurn): void
  /** Stops counting a taken document for its host. */
  leave(turn: HostTurn): void
  /** Forgets the count of a job without documents. */
  forget(slot: JobSlot): void
}

/** Opens an empty list. */
export function readyDocuments(): ReadyDocuments {
  const byHost = new Map<Server, ReadyDocument[]>()
  const counts = new Map<JobSlot, number>()
  let count = 0

  function changeCount(slot: JobSlot, change: number): void {
    count += change
    counts.set(slot, (counts.get(slot) ?? 0) + change)
  }

  function join({ server, slot }: HostTurn): void {
    server.slots.set(slot, (server.slots.get(slot) ?? 0) + 1)
  }

  function leave({ server, slot }: HostTurn): void {
    const left = (server.slots.get(slot) ?? 1) - 1
    if (left > 0) server.slots.set(slot, left)
    else server.slots.delete(slot)
  }

  return {
    get count() {
      return count
    },
    countOf: (slot) => counts.get(slot) ?? 0,
    hosts: () => byHost,
    of: (server) => byHost.get(server) ?? [],
    put(ready) {
      const { turn, document } = ready
      const { server, slot } = turn
      const before = byHost.get(server)
      if (!before) byHost.set(server, [ready])
      else if (document.role === 'robots') before.unshift(ready)
      else before.push(ready)
      join(turn)
      changeCount(slot, 1)
    },
    take(server, at) {
      const ready = byHost.get(server) ?? []
      const [taken] = ready.splice(at, 1)
      if (!taken) return undefined
      byHost.delete(server)
      if (ready.length > 0) byHost.set(server, ready)
      changeCount(taken.turn.slot, -1)
      return taken
    },
    remove(server, matches) {
      const [kept, removed] = [[], []] as [ReadyDocument[], ReadyDocument[]]
      for (const ready of byHost.get(server) ?? []) (matches(ready) ? removed : kept).push(ready)
      if (kept.length > 0) byHost.set(server, kept)
      else byHost.delete(server)
      for (const { turn } of removed) {
        changeCount(turn.slot, -1)
        leave(turn)
      }
      return removed
    },
    join,
    leave,
    forget: (slot) => void counts.delete(slot),
  }
}

/** Wraps each operation of a replica in a function; the common part of the decorators. */
import type { Replica } from './replica.ts'

export type Operation =
  | 'problem'
  | 'freeBytes'
  | 'list'
  | 'stat'
  | 'add'
  | 'checksum'
  | 'secure'
  | 'open'
  | 'setAside'
  | 'kept'
  | 'leftovers'
  | 'removeLeftover'

export interface Call {
  operation: Operation
  /** Name of the file, for operations on one file. */
  file?: string
  signal?: AbortSignal | undefined
}

/** Returns a replica whose operations all run through `through`. Each page of a list is a separate call. */
export function around(inner: Replica, through: <T>(call: Call, act: () => Promise<T>) => Promise<T>): Replica {
  return {
    name: inner.name,
    kind: inner.kind,
    folder: inner.folder,
    pathOf: (file) => inner.pathOf(file),
    problem: () => through({ operation: 'problem' }, () => inner.problem()),
    freeBytes: () => through({ operation: 'freeBytes' }, () => inner.freeBytes()),
    async *list() {
      const pages = inner.list()[Symbol.asyncIterator]()
      try {
        for (;;) {
          const page = await through({ operation: 'list' }, () => pages.next())
          if (page.done) return
          yield page.value
        }
      } finally {
        await pages.return?.()
      }
    },
    stat: (file) => through({ operation: 'stat', file }, () => inner.stat(file)),
    add: (file, options) =>
      through({ operation: 'add', file: file.name, signal: options?.signal }, () => inner.add(file, options)),
    checksum: (file, options) =>
      through({ operation: 'checksum', file, signal: options?.signal }, () => inner.checksum(file, options)),
    secure: (file) => through({ operation: 'secure', file }, () => inner.secure(file)),
    open: (file) => through({ operation: 'open', file }, () => inner.open(file)),
    setAside: (file, wrong) => through({ operation: 'setAside', file }, () => inner.setAside(file, wrong)),
    kept: (file) => through({ operation: 'kept', file }, () => inner.kept(file)),
    leftovers: () => through({ operation: 'leftovers' }, () => inner.leftovers()),
    removeLeftover: (file) => through({ operation: 'removeLeftover', file }, () => inner.removeLeftover(file)),
  }
}

/** The only door to clock, chance, disk, network, threads and programs. The real one is `realWorld`; `seededWorld` is its twin for
 *  tests and simulation: same interface, virtual time, repeatable chance, a disk and a network in memory.
 *  Deliberately not here: the database (see `storage`) and servers that answer people (see `shells`, `viewer`). */

export interface World {
  readonly clock: Clock
  readonly chance: Chance
  readonly disk: Disk
  readonly network: Network
  readonly threads: Threads
  readonly programs: Programs
  readonly operator: Operator
}

/** On whose behalf this process runs, and where, as the operating system says. */
export interface Operator {
  /** The name of the account; `uid 1000` for one without a name, as in a container. */
  account: string
  host: string
}

export interface Clock {
  /** Milliseconds since 1970 UTC, by the clock of the machine, which may be set at any time, in either direction. */
  now(): number
  /** Milliseconds, with fractions, since some moment that is the same for all threads of this process, and never set: for
   *  pauses, bounds and how long something took (`stopwatch.ts`). Whether it goes on while the machine is suspended depends on
   *  the system (see `real.ts`): a caller that must not count a suspend bounds each measurement. */
  elapsed(): number
  /** Resolves after `durationMs`; rejects with the signal's reason when it is aborted first. */
  sleep(durationMs: number, signal?: AbortSignal): Promise<void>
}

export interface Chance {
  /** A whole number in [0, bound). */
  below(bound: number): number
  /** A version 4 UUID, lower case, without `urn:uuid:`. */
  uuid(): string
}

export interface Entry {
  name: string
  kind: 'file' | 'folder'
  /** 0 for a folder. */
  bytes: number
  modifiedAtMs: number
  /** The permissions of POSIX (0o600 …), with set-user-ID, set-group-ID and sticky; undefined on a system that has none. */
  mode: number | undefined
}

/** Permissions of what is made: these, or `closed` for a secret, which is for the accounts that may enter its folder where that is
 *  closed to others, and for its own account else. Absent: as `permissions.ts` says. */
export type NewMode = number | 'closed'

/** Every method rejects with `DiskFault` when the world refuses; anything else thrown is a bug. */
export interface Disk {
  /** The whole of a small file; refused with code `tooLarge` beyond `bytesMax`. */
  read(path: string, bytesMax: number): Promise<Uint8Array>
  /** All or nothing: temporary file next to it, fsync, rename, fsync of the folder. */
  write(path: string, bytes: Uint8Array, mode?: NewMode): Promise<void>
  openRead(path: string): Promise<ReadableFile>
  /** `create` refuses an existing file (code `exists`); `append` makes it when absent and continues at its end. */
  openWrite(path: string, how: 'create' | 'append'): Promise<WritableFile>
  /** Sorted by name; an absent folder is code `absent`. A name that is no text stands there with U+FFFD in it, as a file
   *  without bytes: nothing can be done with it here, but it is not hidden either. */
  list(folder: string): Promise<Entry[]>
  /** The same entries some at a time and in no order, for folders with an unknown number of files. What is
   *  made or removed meanwhile may be among them or not; no name comes twice. */
  pages(folder: string): AsyncIterable<Entry[]>
  stat(path: string): Promise<Entry | undefined>
  /** Whether anything has this name, a link that leads nowhere too: of that `stat` says that it is not there. */
  isTaken(path: string): Promise<boolean>
  /** The one name of a file or folder to which links lead: two paths of the same folder have the same. */
  realPath(path: string): Promise<string>
  /** Replaces a file at `to`. Certain to survive a power cut only after `syncFolder` of the folders it touched. */
  rename(from: string, to: string): Promise<void>
  /** A file; a folder is refused. */
  remove(path: string): Promise<void>
  /** With all that is missing above it, and on the device: what is synced inside cannot lose its folder. `mode` is that of the folder
   *  itself, where it is made; one that is there keeps its own. */
  makeFolder(path: string, mode?: number): Promise<void>
  /** Changes the permissions of a file or folder; of one that belongs to another account it is refused with `denied`. Does nothing on
   *  a system that has none. */
  setMode(path: string, mode: number): Promise<void>
  /** Returns when the bytes of a file are on the device, by whichever process they were written; it creates none, and needs no permission to write. */
  syncFile(path: string): Promise<void>
  /** Returns when the names in this folder are on the device: of files made, renamed and removed in it. */
  syncFolder(path: string): Promise<void>
  /** Bytes that an ordinary user may still write on the file system of `path`. */
  freeBytes(path: string): Promise<number>
  /** Names the file system that holds `path` (`st_dev` of POSIX, the volume on Windows), until the next start of the machine. Two
   *  paths with different answers do not share a partition; whether they share a physical disk is not known. */
  deviceOf(path: string): Promise<string>
}

export interface ReadableFile {
  /** Fills `into` from `position`; returns the bytes read, fewer only at the end of the file. */
  read(into: Uint8Array, position: number): Promise<number>
  bytes(): Promise<number>
  close(): Promise<void>
}

export interface WritableFile {
  /** Bytes in the file so far, which is where the next append lands. */
  readonly position: number
  /** When it rejects, `position` stays and a part of the bytes may lie after it: truncate before going on. */
  append(chunks: Uint8Array[]): Promise<void>
  /** Cuts the file to `length` bytes; the next append lands there. */
  truncate(length: number): Promise<void>
  /** Returns when the bytes are on the device (fdatasync); the name of a new file needs `syncFolder`. */
  sync(): Promise<void>
  close(): Promise<void>
}

export type DiskFaultCode = 'absent' | 'exists' | 'denied' | 'full' | 'tooLarge' | 'failed'

export class DiskFault extends Error {
  readonly code: DiskFaultCode
  readonly path: string
  constructor(code: DiskFaultCode, path: string, options?: ErrorOptions) {
    super(`${diskFaultText[code]}: ${path}`, options)
    this.name = 'DiskFault'
    this.code = code
    this.path = path
  }
}

const diskFaultText: Record<DiskFaultCode, string> = {
  absent: 'there is no such file or folder',
  exists: 'the file already exists',
  denied: 'no permission for this file or folder',
  full: 'no space left on the disk',
  tooLarge: 'the file is larger than allowed here',
  failed: 'the disk failed',
}

export interface Target {
  host: string
  port: number
  /** Connect to this address instead of asking the resolver for `host`. */
  address?: string
  tls: boolean
  connectMsMax: number
  /** Whether an address that is not on the public Internet (`globalAddress.ts`) is connected to; otherwise it is refused with
   *  `private`. */
  privateAllowed: boolean
}

/** Rejects with `NetworkFault`. */
export interface Network {
  connect(target: Target, signal?: AbortSignal): Promise<Connection>
}

export interface Connection {
  readonly remoteAddress: string
  /** What TLS was agreed, undefined over plain TCP. Untrusted certificates are accepted and recorded, never refused. */
  readonly security: Security | undefined
  /** Nothing has arrived that was not read, and neither end has closed: what a connection must be to be used again. */
  readonly quiet: boolean
  write(bytes: Uint8Array): Promise<void>
  /** The next bytes as they arrived, undefined at the end of the stream. Rejects with `NetworkFault`, also on abort, which
   *  loses nothing: the bytes are there for the next read. What arrived before a fault is given before the fault. */
  read(signal?: AbortSignal): Promise<Uint8Array | undefined>
  /** Idempotent; a pending read ends with `undefined`, a later write rejects with code `aborted`. */
  close(): void
}

export interface Security {
  protocol: string
  cipher: string
  trusted: boolean
  /** Why the certificate is not trusted, for example `SELF_SIGNED_CERT_IN_CHAIN`. */
  problem: string | undefined
}

export type NetworkFaultCode =
  | 'unknownHost'
  | 'private'
  | 'refused'
  | 'unreachable'
  | 'reset'
  | 'timeout'
  | 'tlsFailed'
  | 'aborted'
  | 'failed'

export class NetworkFault extends Error {
  readonly code: NetworkFaultCode
  constructor(code: NetworkFaultCode, text: string, options?: ErrorOptions) {
    super(text, options)
    this.name = 'NetworkFault'
    this.code = code
  }
}

/** What a thread's module exports under the name `task`. Input, output and reports are structured-cloneable. */
export type Task<Input, Output, Report = never> = (context: TaskContext<Report>, input: Input) => Promise<Output>

export interface TaskContext<Report> {
  world: World
  report(progress: Report): void
  /** Aborted when the task is cancelled. */
  signal: AbortSignal
  /** In a thread of its own: what was printed in it since the last call; it is not shown anywhere else. Bounded. */
  takePrinted(): string
}

export interface RunOptions<Report> {
  onReport?: (report: Report) => void
  signal?: AbortSignal
}

export interface Threads {
  /** How many tasks the pool runs at once. */
  readonly count: number
  /** Runs the `task` of the module at `module` (a `*.thread.ts` file: `new URL('./x.thread.ts', import.meta.url)`) in a
   *  pool of worker threads, a bounded number at once; the rest wait their turn. Rejects with the task's error (a
   *  `DiskFault` or `NetworkFault` as such, any other error with its name, text and code) or, when the signal stopped it,
   *  with the signal's reason; a task that ends well all the same resolves. */
  run<Input, Output, Report = never>(
    module: URL,
    input: Input,
    options?: RunOptions<Report> & {
      /** It runs as long as the engine, so it gets a thread of its own outside the pool. */
      lasting?: boolean
    },
  ): Promise<Output>
  /** A thread outside the pool, for untrusted tasks. */
  own(limits: OwnThreadLimits): OwnThread
}

export interface OwnThreadLimits {
  /** Of the thread's JavaScript heap: beyond it the thread ends, and nothing else does. */
  heapBytesMax: number
  /** A task that has not ended this long after it was told to stop loses its thread. */
  stopMsMax: number
}

/** Its tasks share what their modules remember. */
export interface OwnThread {
  /** It was closed, or what ran in it brought it to its end: every `run` rejects. */
  readonly ended: boolean
  /** As `Threads.run`; one at a time. */
  run<Input, Output, Report = never>(module: URL, input: Input, options?: RunOptions<Report>): Promise<Output>
  /** Ends it, whatever it is doing; what runs in it rejects. */
  close(): void
}

/** Other programs of this machine: what the operating system offers only through them. */
export interface Programs {
  /** `linux`, `darwin`, `win32` …: which programs there may be. */
  readonly system: string
  /** Runs it to its end; no shell reads its words. Rejects with `ProgramFault`. */
  run(program: Program): Promise<ProgramEnd>
}

export interface Program {
  /** A name that is looked for where the system keeps programs. */
  name: string
  /** Everybody on this machine can read them: a secret goes through `input`. */
  words: readonly string[]
  input: string
  runMsMax: number
}

export interface ProgramEnd {
  exitCode: number
  output: string
  errors: string
}

export type ProgramFaultCode = 'absent' | 'timeout' | 'failed'

export class ProgramFault extends Error {
  readonly code: ProgramFaultCode
  constructor(code: ProgramFaultCode, text: string, options?: ErrorOptions) {
    super(text, options)
    this.name = 'ProgramFault'
    this.code = code
  }
}

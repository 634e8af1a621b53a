/** The only access to clock, chance, disk, network, threads and programs. `realWorld` is the real one; `seededWorld` is its
 *  counterpart for tests and simulation: same interface, virtual time, repeatable chance, a disk and a network in memory. The
 *  database (see `storage`) and the servers for users (see `shells`, `viewer`) are not part of it. */

/** The environment of the program. */
export interface World {
  readonly clock: Clock
  readonly chance: Chance
  readonly disk: Disk
  readonly network: Network
  readonly threads: Threads
  readonly programs: Programs
  readonly memory: Memory
  readonly operator: Operator
}

/** The account and host on which this process runs, as reported by the operating system. */
export interface Operator {
  /** Name of the account; `uid 1000` for one without a name, as in a container. */
  account: string
  /** Host name of the machine. */
  host: string
}

/** Memory of this thread. */
export interface Memory {
  /** Collects all garbage and gives the memory back to the system. The thread stands still meanwhile, for some 2 ms per MB in use: for a
   *  thread that has come to rest. Does nothing where its heap has more than `usedBytesMax` in use. */
  release(usedBytesMax?: number): void
}

/** Wall clock, monotonic clock and timers. */
export interface Clock {
  /** Milliseconds since 1970 UTC, by the clock of the machine, which may be set at any time, in either direction. */
  now(): number
  /** Milliseconds, with fractions, since some moment that is the same for all threads of this process, and never set: for
   *  pauses, bounds and durations (`stopwatch.ts`). Whether it continues while the machine is suspended depends on the system
   *  (see `real.ts`): a caller that must not count a suspend bounds each measurement. */
  elapsed(): number
  /** Resolves after `durationMs`; rejects with the signal's reason when it is aborted first. */
  sleep(durationMs: number, signal?: AbortSignal): Promise<void>
}

/** Random numbers. */
export interface Chance {
  /** Returns a whole number in [0, bound). */
  below(bound: number): number
  /** Returns a version 4 UUID, lower case, without `urn:uuid:`. */
  uuid(): string
}

/** A file or folder. */
export interface Entry {
  name: string
  kind: 'file' | 'folder'
  /** 0 for a folder. */
  bytes: number
  modifiedAtMs: number
  /** POSIX permissions (0o600 …), with set-user-ID, set-group-ID and sticky bit; undefined on a system that has none. */
  mode: number | undefined
}

/** Permissions of a new file: a mode, or `closed` for a secret, which is accessible to the accounts that may enter its folder
 *  if that folder is closed to others, and otherwise to its own account only. Absent: as described in `permissions.ts`. */
export type NewMode = number | 'closed'

/** The file system. Every method rejects with `DiskFault` when an operation fails; anything else thrown is a bug. */
export interface Disk {
  /** Reads a whole small file; rejects with code `tooLarge` beyond `bytesMax`. */
  read(path: string, bytesMax: number): Promise<Uint8Array>
  /** Replaces a file completely or not at all: temporary file next to it, fsync, rename, fsync of the folder. */
  write(path: string, bytes: Uint8Array, mode?: NewMode): Promise<void>
  /** Opens a file for reading. A pipe is refused (code `failed`), because it might never have a writer. */
  openRead(path: string): Promise<ReadableFile>
  /** Opens a file for writing. `create` refuses an existing file (code `exists`); `append` creates an absent one and
   *  continues at its end. */
  openWrite(path: string, how: 'create' | 'append'): Promise<WritableFile>
  /** Lists a folder, sorted by name; rejects with code `absent` for an absent one. A name that is not valid text is listed
   *  with U+FFFD in it, as a file without bytes: it cannot be opened, but it is not hidden either. */
  list(folder: string): Promise<Entry[]>
  /** Yields the same entries in batches and without order, for folders with an unknown number of files. Files created or
   *  removed in the meantime may be included or not; no name occurs twice. */
  pages(folder: string): AsyncIterable<Entry[]>
  /** Describes a file or folder, following links; undefined if it does not exist. */
  stat(path: string): Promise<Entry | undefined>
  /** Tells whether the name is in use, even by a link to a missing file, for which `stat` returns undefined. */
  isTaken(path: string): Promise<boolean>
  /** Returns the path of a file or folder with all links resolved: two paths to the same folder give the same result. */
  realPath(path: string): Promise<string>
  /** Renames; replaces a file at `to`. Survives a power cut for certain only after `syncFolder` of the folders concerned. */
  rename(from: string, to: string): Promise<void>
  /** Removes a file; a folder is refused. */
  remove(path: string): Promise<void>
  /** Creates a folder with all missing parents, and syncs them: a file synced inside cannot lose its folder. `mode` applies
   *  to the folder itself if it is created; an existing one keeps its own. */
  makeFolder(path: string, mode?: number): Promise<void>
  /** Changes the permissions of a file or folder; rejects with `denied` if it belongs to another account. Does nothing on a
   *  system that has none. */
  setMode(path: string, mode: number): Promise<void>
  /** Resolves when the bytes of a file are on the device, whichever process wrote them; creates no file, and needs no
   *  permission to write. */
  syncFile(path: string): Promise<void>
  /** Resolves when the names in this folder are on the device: of files created, renamed and removed in it. */
  syncFolder(path: string): Promise<void>
  /** Bytes that an ordinary user may still write on the file system of `path`. */
  freeBytes(path: string): Promise<number>
  /** Identifies the file system that holds `path` (`st_dev` of POSIX, the volume on Windows), until the next start of the
   *  machine. Two paths with different results do not share a partition; whether they share a physical disk is not known. */
  deviceOf(path: string): Promise<string>
}

/** A file open for reading. */
export interface ReadableFile {
  /** Fills `into` from `position`; returns the number of bytes read, fewer than requested only at the end of the file. */
  read(into: Uint8Array, position: number): Promise<number>
  /** Length of the file now. */
  bytes(): Promise<number>
  close(): Promise<void>
}

/** A file open for writing. */
export interface WritableFile {
  /** Bytes in the file so far, which is the position of the next append. */
  readonly position: number
  /** Appends bytes. If it rejects, `position` is unchanged and part of the bytes may follow it: the caller must truncate
   *  before it continues. */
  append(chunks: Uint8Array[]): Promise<void>
  /** Cuts the file to `length` bytes, where the next append continues. */
  truncate(length: number): Promise<void>
  /** Resolves when the bytes are on the device (fdatasync); the name of a new file needs `syncFolder`. */
  sync(): Promise<void>
  close(): Promise<void>
}

/** Why an operation failed. `absent`: no such file or folder. `exists`: the name is taken. `denied`: missing
 *  permissions, or a read-only file system. `full`: no space or quota left. `tooLarge`: more than the caller
 *  accepts. `failed`: any other error of the system. */
export type DiskFaultCode = 'absent' | 'exists' | 'denied' | 'full' | 'tooLarge' | 'failed'

/** An operation of the disk that failed. */
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

/** For logs. Users read a message that is made from the code. */
const diskFaultText: Record<DiskFaultCode, string> = {
  absent: 'no such file or folder',
  exists: 'file exists',
  denied: 'permission denied',
  full: 'disk full',
  tooLarge: 'file too large',
  failed: 'disk failure',
}

/** Address and terms of a connection. */
export interface Target {
  host: string
  port: number
  /** Address to connect to, instead of asking the resolver for `host`. */
  address?: string
  /** Whether TLS is spoken over the connection. */
  tls: boolean
  /** Time limit for the connection, including the name lookup and the TLS handshake. */
  connectMsMax: number
  /** Whether connections to an address that is not on the public Internet (`globalAddress.ts`) are allowed; otherwise they
   *  are refused with `private`. */
  privateAllowed: boolean
}

/** Outgoing connections. Rejects with `NetworkFault`. */
export interface Network {
  connect(target: Target, signal?: AbortSignal): Promise<Connection>
}

/** A connection to a server. */
export interface Connection {
  /** IP address of the other end; empty when it is not known. */
  readonly remoteAddress: string
  /** The negotiated TLS parameters, undefined over plain TCP. Untrusted certificates are accepted and recorded, never refused. */
  readonly security: Security | undefined
  /** True if all received bytes were read and neither end has closed, so that the connection can be used again. */
  readonly quiet: boolean
  /** Resolves when the bytes were handed to the system. Rejects with `NetworkFault`. */
  write(bytes: Uint8Array): Promise<void>
  /** Returns the next bytes as they arrived, undefined at the end of the stream. Rejects with `NetworkFault`, also on abort,
   *  which loses nothing: the bytes remain for the next read. Bytes that arrived before a fault are returned before the
   *  fault. */
  read(signal?: AbortSignal): Promise<Uint8Array | undefined>
  /** Closes the connection. Idempotent; a pending read ends with `undefined`, a later write rejects with code `aborted`. */
  close(): void
}

/** The TLS parameters of a connection. */
export interface Security {
  /** Such as `TLSv1.3`. */
  protocol: string
  /** Name of the cipher suite in OpenSSL's spelling. */
  cipher: string
  /** Whether a certificate authority of the system vouches for the certificate and the host name. */
  trusted: boolean
  /** Why the certificate is not trusted, for example `SELF_SIGNED_CERT_IN_CHAIN`. */
  problem: string | undefined
}

/** Why a connection failed. `private`: the address is not on the public Internet. `unreachable`: there is no
 *  route. `reset`: the other end closed it. `aborted`: it was stopped or closed here. */
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

/** A connection that failed or could not be made. */
export class NetworkFault extends Error {
  readonly code: NetworkFaultCode
  /** Host and port; undefined after the connection was made. */
  readonly where: string | undefined
  constructor(code: NetworkFaultCode, where?: string, options?: ErrorOptions) {
    super(where === undefined ? networkFaultText[code] : `${networkFaultText[code]}: ${where}`, options)
    this.name = 'NetworkFault'
    this.code = code
    this.where = where
  }
}

/** For logs. Users read a message that is made from the code. */
const networkFaultText: Record<NetworkFaultCode, string> = {
  unknownHost: 'unknown host name',
  private: 'private or reserved address',
  refused: 'connection refused',
  unreachable: 'server unreachable',
  reset: 'connection reset',
  timeout: 'connection timeout',
  tlsFailed: 'TLS handshake failed',
  aborted: 'connection aborted',
  failed: 'connection failed',
}

/** The function that a thread's module exports under the name `task`. Input, output and reports are structured-cloneable. */
export type Task<Input, Output, Report = never> = (context: TaskContext<Report>, input: Input) => Promise<Output>

/** The environment of a running task. */
export interface TaskContext<Report> {
  world: World
  /** Sends a report to `onReport` of the caller. */
  report(progress: Report): void
  /** Aborted when the task is cancelled. */
  signal: AbortSignal
  /** In a thread of its own: returns the output printed in it since the last call, up to a limit; it is not shown anywhere
   *  else. */
  takePrinted(): string
}

/** Options of a task: a listener for its reports, and a signal that cancels it. */
export interface RunOptions<Report> {
  onReport?: (report: Report) => void
  signal?: AbortSignal
}

/** Worker threads. */
export interface Threads {
  /** Number of tasks that the pool runs at once. */
  readonly count: number
  /** Runs the `task` of the module at `module` (a `*.thread.ts` file: `new URL('./x.thread.ts', import.meta.url)`) in a pool
   *  of worker threads, a bounded number at once; further tasks wait. Rejects with the task's error (a `DiskFault` or
   *  `NetworkFault` as such, any other error with its name, text and code) or, if the signal stopped it, with the signal's
   *  reason; a task that completes nevertheless resolves. */
  run<Input, Output, Report = never>(
    module: URL,
    input: Input,
    options?: RunOptions<Report> & {
      /** Set for a task that runs as long as the engine: it gets a thread of its own outside the pool. */
      lasting?: boolean
    },
  ): Promise<Output>
  /** Creates a thread outside the pool: for untrusted tasks, or for a caller whose tasks must not wait for others. */
  own(limits: OwnThreadLimits): OwnThread
}

/** Limits of a thread outside the pool. */
export interface OwnThreadLimits {
  /** Largest JavaScript heap: beyond it the thread ends, without effect on others. */
  heapBytesMax: number
  /** Longest time that a task may take to end after it was asked to stop; then its thread is terminated. */
  stopMsMax: number
}

/** A thread outside the pool. Its tasks share the state of their modules. */
export interface OwnThread {
  /** True after it was closed or ended by a task: every `run` rejects. */
  readonly ended: boolean
  /** As `Threads.run`; one task at a time. */
  run<Input, Output, Report = never>(module: URL, input: Input, options?: RunOptions<Report>): Promise<Output>
  /** Terminates the thread; a running task rejects. */
  close(): void
}

/** Other programs of this machine, for functions that the operating system offers only through them. */
export interface Programs {
  /** `linux`, `darwin`, `win32` …: determines which programs may exist. */
  readonly system: string
  /** Runs a program until it ends; no shell interprets its arguments. Rejects with `ProgramFault`. */
  run(program: Program): Promise<ProgramEnd>
}

/** A program to run. */
export interface Program {
  /** Name of the program, searched in the system's path. */
  name: string
  /** Arguments, which every user of this machine can read: a secret goes through `input`. */
  words: readonly string[]
  /** Text for the standard input. */
  input: string
  /** Time limit; the program is killed after it. */
  runMsMax: number
}

/** Result of a program. */
export interface ProgramEnd {
  /** Exit code. What it means depends on the program; 0 is success by convention. */
  exitCode: number
  output: string
  errors: string
}

/** Why there is no result. `absent`: no such program. `failed`: it could not be started. `killed`: a signal ended it. */
export type ProgramFaultCode = 'absent' | 'timeout' | 'failed' | 'killed'

/** A program that could not be run or did not end. */
export class ProgramFault extends Error {
  readonly code: ProgramFaultCode
  readonly program: string
  /** What the system reported, or the name of the signal; empty for the other codes. */
  readonly detail: string
  constructor(
    code: ProgramFaultCode,
    program: string,
    { detail = '', ...options }: ErrorOptions & { detail?: string } = {},
  ) {
    super(`${program}: ${code} ${detail}`.trim(), options)
    this.name = 'ProgramFault'
    this.code = code
    this.program = program
    this.detail = detail
  }
}

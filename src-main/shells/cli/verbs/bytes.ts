/**
 * The verbs `loupe get-file`, `get-record` and `get-metadata`: bytes from the archive. They do not cross the contract; they come from the
 * viewer's port, where the command host serves them (semantics 7.5).
 */
import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { request, type IncomingMessage } from 'node:http'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { Transform, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ArchivedFile } from '../../../contract/services/archivedFiles.ts'
import type { Loupe } from '../../../contract/contract.ts'
import { Fault, faults, type FaultCode } from '../../../contract/calls/faults.ts'
import { selectionText } from '../../../contract/shapes/selection.ts'
import { unlessStopped, type Command, type ExitCode } from '../session/command.ts'
import { bytesText } from '../output/output.ts'
import type { SelectionAsked } from '../input/selectionOptions.ts'
import { systemErrorText } from '../input/systemErrorText.ts'
import { message } from '../../../contract/words/message.ts'
import { textFor } from '../../../contract/words/render.ts'

interface FileWanted {
  name: string
  destination: string
  replica: string | undefined
}

export async function getFile(command: Command, wanted: FileWanted): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const known = await fileNamed(services, wanted.name)
    const target = await targetOf(wanted.destination, wanted.name)
    await refuseOther(target, known.sha256)
    const replicas = wanted.replica === undefined ? known.replicas.map(({ replica }) => replica) : [wanted.replica]
    const given = await firstGood(command, services, { known, target, replicas })
    command.output.result({ name: wanted.name, ...given }, () =>
      textFor('cli.bytes.copied', { ...given, path: target, size: bytesText(given.bytes) }),
    )
    return 0
  })
}

async function fileNamed(services: Loupe, name: string): Promise<ArchivedFile> {
  const { file } = await services.archive.file({ name })
  return file
}

interface Taking {
  known: ArchivedFile
  target: string
  replicas: readonly string[]
}

/**
 * Reads from the first replica whose copy is good. A copy that has changed since its last check is detected when it is read; then the next
 * replica is tried.
 */
async function firstGood(
  { output, signal }: Command,
  services: Loupe,
  { known, target, replicas }: Taking,
): Promise<{ bytes: number; sha256: string; replica: string }> {
  const { name } = known
  let first: Fault | undefined
  for (const replica of replicas) {
    try {
      const answer = await ask(services, { path: 'getFile', query: { arcFile: name, replica }, signal })
      const counted = await writtenTo(target, answer, (found) => {
        if (found !== known.sha256) throw wrongCopy(known, replica, found)
      })
      return { ...counted, replica }
    } catch (error) {
      // A stop is no finding about the copy.
      if (signal.aborted) throw new Fault('stopped', message('cli.stopped.unwritten'), { cause: error })
      if (!(error instanceof Fault) || !passedOver.includes(error.code)) throw error
      if (replicas.length > 1) output.note(error.message)
      first ??= error
    }
  }
  if (replicas.length === 1 && first) throw first
  throw new Fault('damaged', message('cli.bytes.noGoodCopy', { name }))
}

/** Faults of one copy, as opposed to faults of the destination. */
const passedOver: readonly FaultCode[] = ['damaged', 'notFound', 'refused', 'unreachable']

function wrongCopy({ name, sha256 }: ArchivedFile, replica: string, found: string): Fault {
  return new Fault('damaged', message('cli.bytes.wrongCopy', { name, found, replica, sha256 }))
}

export async function getRecordAt(
  command: Command,
  { file, offset }: { file: string; offset: number },
): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const arcFile = await nameInArchive(services, file)
    return printed(command, services, { path: 'getRecord', query: { arcFile, arcOffset: String(offset) } })
  })
}

export async function getRecordOf(
  command: Command,
  { selection, url, at }: { selection: SelectionAsked; url: string; at: string | undefined },
): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const asked = services.viewer.locate({ ...selection, url, ...(at !== undefined && { at }) })
    const found = await unlessStopped(command.signal, asked)
    if (!found)
      throw new Fault('notFound', message('cli.bytes.noCapture', { url, selection: selectionText(selection) }))
    const query = { arcFile: found.file, arcOffset: String(found.offset) }
    return printed(command, services, { path: 'getRecord', query })
  })
}

export async function getMetadata(command: Command, job: number): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    // A job that never existed gets another answer than a job without metadata. The files of a deleted job are still there.
    const deleted = await services.jobs.deleted({})
    if (!deleted.some((one) => one.job === job)) await services.jobs.show({ job })
    return printed(command, services, { path: 'getMetadata', query: { jobID: String(job) } })
  })
}

/** Finds the name of a file in the archive: users may give the path where they see it, in a replica's folder. */
async function nameInArchive(services: Loupe, file: string): Promise<string> {
  if (!file.includes('/') && !file.includes(sep)) return file
  const path = resolve(file)
  const replicas = await services.archive.replicas({})
  if (replicas.some(({ folder }) => resolve(folder) === dirname(path))) return basename(path)
  throw new Fault('notFound', message('cli.bytes.notInReplica', { file }))
}

interface Question {
  path: 'getFile' | 'getRecord' | 'getMetadata'
  query: Record<string, string>
  signal: AbortSignal
}

async function ask(services: Loupe, { path, query, signal }: Question): Promise<IncomingMessage> {
  const { proxy, commandHost } = await services.system.about({})
  const { hostname, port } = new URL(`http://${proxy}`)
  const address = `http://${commandHost}/${path}?${new URLSearchParams(query).toString()}`
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const options = { host: hostname, port, path: address, headers: { host: commandHost }, agent: false, signal }
    request(options, resolve).on('error', reject).end()
  }).catch((cause: unknown) => {
    throw stoppedOr(signal, cause, new Fault('unreachable', message('cli.bytes.noProxy', { proxy }), { cause }))
  })
  if (answer.statusCode === 200) return answer
  const text = (await answer.setEncoding('utf8').toArray()).join('').trim()
  throw new Fault(codeOf(answer.statusCode), text)
}

/** Returns the fault for a status of the command host (contract/calls/faults.ts). */
function codeOf(status: number | undefined): FaultCode {
  const codes: FaultCode[] = ['badInput', 'notFound', 'refused', 'noSpace', 'unreachable']
  return codes.find((code) => faults[code].status === status) ?? 'internal'
}

async function printed({ signal }: Command, services: Loupe, question: Omit<Question, 'signal'>): Promise<ExitCode> {
  const answer = await ask(services, { ...question, signal })
  try {
    // Standard output must stay open: pipeline would end it.
    await pipeline(answer, process.stdout, { end: false })
  } catch (cause) {
    throw stoppedOr(signal, cause, broken(cause))
  }
  return 0
}

/**
 * Writes under a temporary name until the file is complete and `check` has accepted it. If the same file existed before, it is replaced as
 * a whole.
 */
async function writtenTo(
  target: string,
  answer: IncomingMessage,
  check: (sha256: string) => void,
): Promise<{ sha256: string; bytes: number }> {
  const part = join(dirname(target), `.${basename(target)}.${randomUUID()}.part`)
  try {
    const counted = await hashedInto(createWriteStream(part, { flags: 'wx' }), answer)
    check(counted.sha256)
    await rename(part, target)
    return counted
  } catch (error) {
    answer.destroy()
    await rm(part, { force: true })
    throw error instanceof Fault ? error : writing(target, error)
  }
}

async function hashedInto(target: Writable, answer: IncomingMessage): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash('sha256')
  let bytes = 0
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      bytes += chunk.length
      done(undefined, chunk)
    },
  })
  await pipeline(answer, counted, target)
  return { sha256: hash.digest('hex'), bytes }
}

/** Resolves the destination: in a folder the file keeps its own name. */
async function targetOf(destination: string, name: string): Promise<string> {
  const path = resolve(destination)
  const isFolder = /[/\\]$/.test(destination)
  try {
    await mkdir(isFolder ? path : dirname(path), { recursive: true })
    const found = await stat(path).catch(() => undefined)
    return found?.isDirectory() ? join(path, name) : path
  } catch (error) {
    throw writing(path, error)
  }
}

/** Refuses to overwrite an existing file with other content. */
async function refuseOther(target: string, sha256: string): Promise<void> {
  const found = await stat(target).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw writing(target, error)
  })
  if (!found) return
  if (found.isFile() && (await sha256Of(target)) === sha256) return
  throw new Fault('refused', message('cli.bytes.exists', { path: target }))
}

/** Returns the digest, or undefined when the file cannot be read and so cannot be known to be the same. */
async function sha256Of(path: string): Promise<string | undefined> {
  const hash = createHash('sha256')
  try {
    await pipeline(createReadStream(path), hash)
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined
    throw error
  }
  return hash.digest('hex')
}

function writing(target: string, cause: unknown): unknown {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new Fault('noSpace', message('cli.full', { path: target }), { cause })
  if (code === 'ABORT_ERR') return new Fault('stopped', message('cli.stopped.unwritten'), { cause })
  if (code === 'ECONNRESET') return broken(cause)
  if (!code.startsWith('E') || code.startsWith('ERR_')) return cause
  const problem =
    code === 'EEXIST' || code === 'ENOTDIR' ? message('cli.unwritable.partIsFile') : systemErrorText(cause)
  return new Fault('notAllowed', message('cli.unwritable', { path: target, problem }), { cause })
}

function broken(cause: unknown): Fault {
  return new Fault('damaged', message('cli.bytes.broken'), { cause })
}

function stoppedOr(signal: AbortSignal, cause: unknown, fault: Fault): Fault {
  return signal.aborted ? new Fault('stopped', message('cli.stopped'), { cause }) : fault
}

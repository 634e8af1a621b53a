/** `loupe get-file`, `get-record`, `get-metadata`: bytes out of the archive. They do not cross the contract; they come from
 *  the viewer's port, where the command host hands them out (semantics 7.5). */
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { request, type IncomingMessage } from 'node:http'
import { basename, dirname, join, resolve } from 'node:path'
import { Transform, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Loupe } from '../../../contract/contract.ts'
import { Fault } from '../../../contract/faults.ts'
import type { Command, ExitCode } from '../command.ts'
import { bytesText } from '../output.ts'

export async function getFile(command: Command, name: string, destination: string | undefined, replica: string | undefined): Promise<ExitCode> {
  return command.withSession(false, async ({ services }) => {
    const { rows } = await services.archive.files({ text: name })
    const known = rows.find((row) => row.name === name)
    if (!known) throw new Fault('notFound', `The archive has no file named ${name}.`)
    const target = await targetOf(destination, name)
    const query = replica === undefined ? { arcFile: name } : { arcFile: name, replica }
    const answer = await ask(services, 'getFile', query)
    const part = `${target}.part`
    const { sha256, bytes } = await written(answer, createWriteStream(part))
    if (sha256 !== known.sha256) {
      await rm(part)
      throw new Fault('damaged', `${name} came out with the checksum ${sha256} and not ${known.sha256}, so nothing was written: run "loupe preserve checksums".`)
    }
    await rename(part, target)
    const from = String(answer.headers['x-loupe-replica'] ?? '')
    command.output.result({ name, bytes, sha256, replica: from }, () => `${target}  ${bytesText(bytes)}  sha256 ${sha256}  from replica ${from}`)
    return 0
  })
}

export async function getRecordAt(command: Command, file: string, offset: number): Promise<ExitCode> {
  return command.withSession(false, async ({ services }) => toStandardOutput(await ask(services, 'getRecord', { arcFile: file, arcOffset: String(offset) })))
}

export async function getRecordOf(command: Command, jobs: number[], url: string, at: string | undefined): Promise<ExitCode> {
  return command.withSession(false, async ({ services }) => {
    const found = await services.viewer.locate(at === undefined ? { jobs, url } : { jobs, url, at })
    if (!found) throw new Fault('notFound', `Job ${jobs.join(', ')} has no capture of ${url}.`)
    return toStandardOutput(await ask(services, 'getRecord', { arcFile: found.file, arcOffset: String(found.offset) }))
  })
}

export async function getMetadata(command: Command, job: number): Promise<ExitCode> {
  return command.withSession(false, async ({ services }) => {
    await services.jobs.show({ job })
    return toStandardOutput(await ask(services, 'getMetadata', { jobID: String(job) }))
  })
}

async function ask(services: Loupe, command: string, query: Record<string, string>): Promise<IncomingMessage> {
  const { proxy, commandHost } = await services.system.about({})
  const [host, port] = proxy.split(':')
  const path = `http://${commandHost}/${command}?${new URLSearchParams(query)}`
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request({ host, port, path, headers: { host: commandHost }, agent: false }, resolve).on('error', reject).end()
  })
  if (answer.statusCode === 200) return answer
  const text = (await answer.setEncoding('utf8').toArray()).join('').trim()
  throw new Fault(answer.statusCode === 404 ? 'notFound' : 'refused', text)
}

async function toStandardOutput(answer: IncomingMessage): Promise<ExitCode> {
  // Standard output stays open: pipeline would end it.
  await pipeline(answer, process.stdout, { end: false })
  return 0
}

async function written(answer: IncomingMessage, target: Writable): Promise<{ sha256: string; bytes: number }> {
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

/** A folder that exists takes the file under its own name. */
async function targetOf(destination: string | undefined, name: string): Promise<string> {
  if (destination === undefined) return resolve(basename(name))
  const found = await stat(destination).catch(() => undefined)
  if (found?.isDirectory()) return join(destination, basename(name))
  await mkdir(dirname(resolve(destination)), { recursive: true })
  return resolve(destination)
}

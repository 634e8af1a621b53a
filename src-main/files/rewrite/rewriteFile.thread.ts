/** Worker thread that rewrites one archive file; its interface is in rewriteFile.ts. */
import { basename, dirname, join } from 'node:path'
import { digester } from '../../formats/bytes/digest.ts'
import { formatMessage, mayBeDamagedArchive, recognise, type Recognised } from '../../formats/recognise.ts'
import { Account, type List } from '../../formats/rewrite/account.ts'
import { convertArc } from '../../formats/rewrite/convertArc.ts'
import { convertHar } from '../../formats/rewrite/convertHar.ts'
import type { Origin } from '../../formats/rewrite/origin.ts'
import { recompress } from '../../formats/rewrite/recompress.ts'
import { salvage } from '../../formats/rewrite/salvage.ts'
import { DiskFault, type ReadableFile, type Task, type TaskContext } from '../../world/world.ts'
import { message, type Message, type MessageCode } from '../../contract/words/message.ts'
import { findingOf } from '../check/finding.ts'
import { BatchedWrites } from '../disk/batchedWrites.ts'
import { readBytes } from '../disk/limits.ts'
import { readAgain } from './readAgain.ts'
import type {
  Listed,
  RewriteAction,
  RewriteInput,
  RewriteOutcome,
  RewriteProgress,
  RewriteRefusal,
  RewriteSummary,
} from './rewriteFile.ts'
import { rewrittenName } from './rewriteNames.ts'
import { spoolFile, type SpoolFile } from '../disk/spoolFile.ts'
import { watchedFile } from '../disk/watchedFile.ts'

type Context = TaskContext<RewriteProgress>

/** Rewrites the file. Refusals are values; faults of the disk reject. */
export const task: Task<RewriteInput, RewriteOutcome, RewriteProgress> = async (context, input) => {
  const { disk } = context.world
  const source = await disk.openRead(input.source)
  try {
    const bytes = await source.bytes()
    const recognised = await recognise(source)
    const target = targetOf(input, recognised)
    const refused = refusalOf(input, recognised)
    if (refused !== undefined) return { kind: 'refused', why: 'wrongKind', target, problem: refused }
    if (await disk.stat(target)) return taken(target)
    return await new Rewriting(context, { input, source, bytes, recognised, target }).run()
  } finally {
    await source.close()
  }
}

/** Path of the new file. */
function targetOf({ action, source, target }: RewriteInput, { form }: Recognised): string {
  if ('file' in target) return target.file
  return join(target.folder, rewrittenName(source, action, action === 'recompress' && form === 'arc' ? 'arc' : 'warc'))
}

/** The refusal when the new file's name is in use. */
function taken(target: string): RewriteOutcome {
  return { kind: 'refused', why: 'exists', target, problem: message('rewrite.exists', { target }) }
}

/** Whether each action accepts a format. */
const isAccepted: Record<RewriteAction, (recognised: Recognised) => boolean> = {
  recompress: ({ form }) => form === 'warc' || form === 'arc',
  convert: ({ form }) => form === 'arc' || form === 'har',
  salvage: (recognised) => recognised.form === 'warc' || recognised.form === 'arc' || mayBeDamagedArchive(recognised),
}

/** Messages for a source of another format. */
const formRefusals = {
  recompress: 'rewrite.form.recompress',
  convert: 'rewrite.form.convert',
  salvage: 'rewrite.form.salvage',
} as const satisfies Record<RewriteAction, MessageCode>

/** Why the action does not apply to the source; undefined when it does. */
function refusalOf({ action, source }: RewriteInput, recognised: Recognised): Message | undefined {
  const { form, packing } = recognised
  const kind = formatMessage(recognised)
  if (!isAccepted[action](recognised)) return message(formRefusals[action], { source, kind })
  if (form === 'har' && packing !== 'plain') return message('rewrite.packed', { source, kind })
  return undefined
}

/** The source and what is known of it before it is rewritten. */
interface Given {
  input: RewriteInput
  source: ReadableFile
  bytes: number
  recognised: Recognised
  target: string
}

/** One rewriting: writes `….part`, checks that the source is unchanged, reads the result again, and renames it. */
class Rewriting {
  #context: Context
  #given: Given
  #account = new Account()

  constructor(context: Context, given: Given) {
    this.#context = context
    this.#given = given
  }

  async run(): Promise<RewriteOutcome> {
    const { disk } = this.#context.world
    const { input, target } = this.#given
    const part = `${target}.part`
    const spoolPath = `${target}.block.part`
    for (const path of [part, spoolPath]) if (!(await this.#makeRoom(path))) return taken(path)
    const before = await disk.stat(input.source)
    const spool = spoolFile(disk, spoolPath)
    let isNamed = false
    try {
      await this.#write(part, spool)
      const why = await this.#objection(part, before?.modifiedAtMs)
      if (why) return { kind: 'refused', target, ...why }
      const summary = await this.#summary(part)
      if (!summary) return { kind: 'refused', why: 'differs', target, problem: message('rewrite.differs', { target }) }
      // POSIX rename replaces an existing file: checked once more, because the writing may have taken hours.
      if (await disk.stat(target)) return taken(target)
      await disk.rename(part, target)
      isNamed = true
      await disk.syncFolder(dirname(target))
      return { kind: 'done', summary }
    } finally {
      await spool.close()
      if (!isNamed) await this.#removeIfThere(part)
    }
  }

  /** Removes the rest of a killed run. Returns false when that is the source itself. */
  async #makeRoom(path: string): Promise<boolean> {
    const { disk } = this.#context.world
    if (!(await disk.stat(path))) return true
    if ((await disk.realPath(path)) === (await disk.realPath(this.#given.input.source))) return false
    await disk.remove(path)
    return true
  }

  /** Writes all records and syncs the file. */
  async #write(part: string, spool: SpoolFile): Promise<void> {
    const { disk } = this.#context.world
    const records = await this.#records(spool)
    const file = await disk.openWrite(part, 'create')
    try {
      const writes = new BatchedWrites(file)
      for await (const bytes of records) await writes.append(bytes)
      await writes.flush()
      await file.sync()
    } finally {
      await file.close()
    }
  }

  /** Yields the bytes of the new file. Its origin is hashed first, where the action records it. */
  async #records(spool: SpoolFile): Promise<AsyncIterable<Uint8Array>> {
    const { action } = this.#given.input
    const account = this.#account
    if (action === 'recompress') return recompress(this.#watched('writing'), { spool, account })
    const origin = await this.#origin()
    const source = this.#watched('writing')
    if (action === 'salvage')
      return salvage(source, { spool, account, origin, dateMs: this.#context.world.clock.now() })
    if (this.#given.recognised.form === 'har') return convertHar(source, { account, origin })
    return convertArc(source, { spool, account, origin })
  }

  async #origin(): Promise<Origin> {
    const { input, bytes } = this.#given
    const sha256 = await hashOf(this.#watched('hashing'))
    return { name: basename(input.source), bytes, sha256, software: input.software }
  }

  #watched(step: RewriteProgress['step']): ReadableFile {
    const { source, bytes: bytesTotal } = this.#given
    const { signal, report } = this.#context
    return watchedFile(source, { signal, onBytes: (bytes) => report({ step, bytes, bytesTotal }) })
  }

  /** Why the result is not accepted although it was written without an error. */
  async #objection(
    part: string,
    modifiedAtMs: number | undefined,
  ): Promise<{ why: RewriteRefusal; problem: Message } | undefined> {
    const { input, bytes } = this.#given
    const now = await this.#context.world.disk.stat(input.source)
    if (now?.bytes !== bytes || now.modifiedAtMs !== modifiedAtMs)
      return { why: 'sourceChanged', problem: message('rewrite.sourceChanged', { source: input.source }) }
    // A salvaged file has two additional records, which describe the source.
    const ownRecords = input.action === 'salvage' ? 2 : 0
    if (this.#account.records > ownRecords) return undefined
    return { why: 'nothing', problem: this.#whyNothing(basename(part, '.part')) }
  }

  #whyNothing(name: string): Message {
    const { source, action } = this.#given.input
    const [left] = this.#account.leftOut.items
    if (action === 'recompress' && left) return message('rewrite.allDamaged', { name, source })
    if (action === 'convert' && left) return message('rewrite.noneConverted', { name, source, problem: left.message })
    return message('rewrite.noneFound', { name, source })
  }

  /** Returns undefined when the file does not contain what was written. */
  async #summary(part: string): Promise<RewriteSummary | undefined> {
    const { world, signal, report } = this.#context
    const { input, recognised, target } = this.#given
    const account = this.#account
    const opened = await world.disk.openRead(part)
    try {
      const bytes = await opened.bytes()
      const onBytes = (done: number) => report({ step: 'checking', bytes: done, bytesTotal: bytes })
      const found = await readAgain(watchedFile(opened, { signal, onBytes }))
      const isSame = found.records === account.records && found.contentSha256 === account.contentDigest()
      if (!isSame || !found.sound) return undefined
      return {
        target,
        kind: formatMessage(recognised),
        records: found.records,
        bytes,
        sha256: await hashOf(watchedFile(opened, { signal, onBytes: () => undefined })),
        leftOut: listed(account.leftOut),
        changed: listed(account.changed),
        findings: {
          total: account.findings.total,
          items: account.findings.items.map((found) => findingOf(found, input.source)),
        },
      }
    } finally {
      await opened.close()
    }
  }

  /** A file that cannot be removed now, because the disk is gone, is removed by the next run. */
  async #removeIfThere(path: string): Promise<void> {
    try {
      await this.#context.world.disk.remove(path)
    } catch (error) {
      if (!(error instanceof DiskFault)) throw error
    }
  }
}

function listed<T>({ total, items }: List<T>): Listed<T> {
  return { total, items }
}

async function hashOf(file: ReadableFile): Promise<string> {
  const running = digester('sha256')
  const buffer = Buffer.allocUnsafe(readBytes)
  for (let position = 0; ;) {
    const read = await file.read(buffer, position)
    running.update(buffer.subarray(0, read))
    position += read
    if (read < buffer.length) return running.hex()
  }
}

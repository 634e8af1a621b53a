/** Captures that a module of the user finds, for example in a CDX server that indexes this archive. The module names places; each record is
 *  read and compared here, so a wrong answer can cause no wrong reference. */
import { z } from 'zod'
import { message, type Message } from '../../../contract/words/message.ts'
import { messageOf } from '../../../contract/text/messageOf.ts'
import { surt } from '../../../formats/cdx/surt.ts'
import { isAmong } from '../../../indexes/indexes.ts'
import { inTime } from '../../../modules/inTime.ts'
import { loadModule, type ChosenModule } from '../../../modules/userModule.ts'
import type { World } from '../../../world/world.ts'
import type { KnownCapture } from '../../model/document.ts'
import type { Log } from '../../model/jobLog.ts'
import { originalAt } from './originalRecord.ts'
import {
  noOriginals,
  triedMax,
  unlessFault,
  withoutForeignValidators,
  type Originals,
  type OriginalsParts,
} from './originals.ts'

/** A lookup: what the default export of a module returns. */
interface UserIndex {
  /** Places of captures of the URL, the newest first; with a digest, of captures with this payload. */
  lookUp(wanted: { url: string; payloadDigest?: string }): unknown
  /** Called once, when the run ends or pauses. */
  close?(): unknown
}

const places = z.array(z.strictObject({ filename: z.string().min(1), offset: z.int().min(0) })).max(1_000)

/** Time for one answer, and for `close`. */
const answerMsMax = 10_000
/** Failures in a row after which a run asks no more: it would wait for each document. */
const failuresMax = 20

/** What captures are looked up with. */
interface ModuleOriginalsParts extends Omit<OriginalsParts, 'index'> {
  world: World
  module: ChosenModule
  log: Log
}

/** Opens the module. If it cannot be used, the log of the job says why and nothing is found. */
export async function moduleOriginals(parts: ModuleOriginalsParts): Promise<Originals> {
  const { world, archive, deduplication, module, log } = parts
  const opened = await loadModule<UserIndex>(world.disk, module, ['lookUp'])
  if ('problem' in opened) {
    log('warning', message('jobLog.dedup.without', { problem: opened.problem }))
    return noOriginals
  }
  const { part } = opened
  const isExcluded = isAmong(deduplication.excludedTypes)
  let hasFailed = false
  /** Failures since the last answer. */
  let failures = 0

  function failed(problem: Message): void {
    failures += 1
    if (!hasFailed) log('warning', message('jobLog.dedup.moduleFailed', { problem }))
    if (failures === failuresMax) log('warning', message('jobLog.dedup.moduleLeft', { count: failuresMax }))
    hasFailed = true
  }

  /** The first of the places with a record that `fits`. */
  async function firstOf(
    wanted: { url: string; payloadDigest?: string },
    fits: (known: KnownCapture) => boolean,
  ): Promise<KnownCapture | undefined> {
    if (failures >= failuresMax) return undefined
    const answer = await answered(world, () => part.lookUp(wanted))
    if ('problem' in answer) {
      failed(answer.problem)
      return undefined
    }
    const read = places.safeParse(answer.value)
    if (!read.success) {
      failed(message('jobLog.dedup.moduleAnswer'))
      return undefined
    }
    failures = 0
    for (const { filename, offset } of read.data.slice(0, triedMax)) {
      const found = await originalAt(archive, { fileName: filename, offset })
      if (found && !isExcluded(found.mediaType) && fits(found.known)) return found.known
    }
    return undefined
  }

  return {
    ...{ isOpen: true, isExcluded },
    ofUrl: (url) =>
      unlessFault(async () => {
        const isOfUrl = ({ original }: KnownCapture) => surt(original.url ?? '') === surt(url)
        return withoutForeignValidators(await firstOf({ url }, isOfUrl), url)
      }),
    ofPayload: ({ url, digest, mediaType }) =>
      unlessFault(async () => {
        if (isExcluded(mediaType)) return undefined
        return firstOf(
          { url, payloadDigest: digest },
          ({ original }) =>
            original.payloadDigest === digest &&
            (deduplication.match === 'payload' || surt(original.url ?? '') === surt(url)),
        )
      }),
    async close() {
      // The captures are safe, and the module cannot be told.
      await answered(world, () => part.close?.())
    },
  }
}

/** What a function of the module returned in time, or what went wrong. */
async function answered(world: World, act: () => unknown): Promise<{ value: unknown } | { problem: Message }> {
  const late = new Error(`no answer within ${answerMsMax / 1000} seconds`)
  try {
    return { value: await inTime(world.clock, { msMax: answerMsMax, late }, async () => act()) }
  } catch (error) {
    return { problem: message('text', { text: messageOf(error) }) }
  }
}

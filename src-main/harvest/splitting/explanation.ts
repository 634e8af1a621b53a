/** The split in words, for users who ask why a configuration is in a job, or why it is not. */
import { message, type Message } from '../../contract/words/message.ts'
import type { Estimate } from '../estimates/estimate.ts'
import type { Refusal } from './openJob.ts'

/** Says how an expectation was computed, one sentence per step. */
export function estimateMessages(estimate: Estimate): Message[] {
  const { best, bytesPerObject, maximum, maximumOf, uncapped, configurationMaximum } = estimate
  return [
    best === null ? message('estimate.never') : bestMessage(best),
    message('estimate.bytesPerObject', { bytes: bytesPerObject }),
    message(`estimate.maximum.${maximumOf}`, { objects: maximum }),
    message('estimate.uncapped', { objects: uncapped }),
    ...(configurationMaximum === null ? [] : [message('estimate.capped', { objects: configurationMaximum })]),
  ]
}

function bestMessage({ atMs, objects, bytes, stopReason }: NonNullable<Estimate['best']>): Message {
  const time = new Date(atMs).toISOString()
  const completeness = stopReason === 'DOWNLOAD_COMPLETE' ? 'complete' : 'incomplete'
  return message(`estimate.best.${completeness}`, { time, objects, bytes })
}

/** Says why a configuration is not in a job. */
export function refusalMessage(refusal: Refusal): Message {
  switch (refusal.reason) {
    case 'attributes':
    case 'domain':
    case 'template':
      return message(`split.${refusal.reason}`)
    case 'count':
      return message('split.count', { max: refusal.max })
    case 'bytes':
    case 'objects':
      return message(`split.${refusal.reason}`, { ours: limitText(refusal.ours), theirs: limitText(refusal.theirs) })
    case 'total': {
      const { total, expected, max } = refusal
      return message('split.total', { expected, total: total + expected, max })
    }
    case 'difference': {
      const { expected, least, most, ratioMax: ratio } = refusal
      return message('split.difference', { expected, least, most, ratio })
    }
  }
}

function limitText(limit: number | null): number | Message {
  return limit ?? message('split.unlimited')
}

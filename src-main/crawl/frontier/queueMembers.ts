/** The jobs that take part in the queue: a job joins while it is worked on and leaves when it is not. */
import { strictest, type BinLimits } from '../../contract/shapes/throttle.ts'
import type { World } from '../../world/world.ts'
import { newPace, type Pace } from './caps.ts'
import type { ReadyDocument } from './readyDocuments.ts'
import type { JobSlot, Servers } from './servers.ts'

/** A job in the queue. */
export interface Member {
  slot: JobSlot
  pace: Pace
  start(ready: ReadyDocument): void
  /** Number of documents that ended since the pace was last recorded. */
  ended: number
  sinceMs: number
}

/** The members of the queue. */
export interface Members {
  readonly all: ReadonlyMap<number, Member>
  slotOf(job: number): JobSlot | undefined
  /** Number of worker slots of all members together. */
  workers(): number
  add(slot: JobSlot, start: Member['start']): void
  /** Removes a job; returns the member that left, or undefined if the job was not a member. */
  remove(job: number): Member | undefined
  recordPaces(nowMs: number): void
}

/** Shortest interval over which the pace of a job is averaged. */
const paceMs = 1_000

/** Opens the membership. A host is limited by the rules of the jobs that are members. */
export function queueMembers(
  { clock }: Pick<World, 'clock'>,
  servers: Pick<Servers, 'applyLimits' | 'forget'>,
): Members {
  const all = new Map<number, Member>()

  /** Applies the strictest limits: a throttle rule of any running job limits the host for all of them. */
  function applyLimits(): void {
    const limits = [...all.values()].map(({ slot }) => slot.limitsOf)
    servers.applyLimits((bin: string): BinLimits => strictest(limits.map((limitsOf) => limitsOf(bin))))
  }

  return {
    all,
    slotOf: (job) => all.get(job)?.slot,
    workers: () => [...all.values()].reduce((sum, { slot }) => sum + slot.workers, 0),
    add(slot, start) {
      all.set(slot.job, { slot, pace: newPace(), start, ended: 0, sinceMs: clock.elapsed() })
      applyLimits()
    },
    remove(job) {
      const member = all.get(job)
      if (!member) return undefined
      all.delete(job)
      servers.forget(member.slot)
      applyLimits()
      return member
    },
    recordPaces(nowMs) {
      for (const member of all.values()) {
        if (nowMs - member.sinceMs < paceMs) continue
        member.pace.record(member.ended, nowMs - member.sinceMs)
        member.ended = 0
        member.sinceMs = nowMs
      }
    },
  }
}

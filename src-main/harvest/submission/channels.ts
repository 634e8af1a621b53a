/** Queues between the scheduler, which submits jobs, and harvesters, which run them (NetarchiveSuite's channels). A broker implements
 *  this interface where several engines share the work; `memoryChannels` is the queue of one process. */

/** A job taken from a channel. */
export interface ReceivedJob {
  job: number
  /** Removes the job from the channel for good: it runs, or nothing is to be done. */
  acknowledge(): Promise<void>
  /** Puts the job back as the first of its channel: the harvester cannot run it now. */
  putBack(): Promise<void>
}

/** The channels by name. */
export interface Channels {
  /** Adds a job as the last of a channel. */
  send(channel: string, job: number): Promise<void>
  /** Takes the first job of the first of these channels that has one; undefined if all are empty. */
  receive(channels: readonly string[]): Promise<ReceivedJob | undefined>
  /** Number of jobs in a channel that no harvester has taken. */
  waiting(channel: string): Promise<number>
  close(): Promise<void>
}

/** Opens channels in the memory of this process. What is in them is lost with it: the scheduler sends submitted jobs again at its
 *  start, as NetarchiveSuite does. */
export function memoryChannels(): Channels {
  const queues = new Map<string, number[]>()
  const queueOf = (channel: string): number[] => {
    const queue = queues.get(channel) ?? []
    queues.set(channel, queue)
    return queue
  }
  return {
    send: async (channel, job) => void queueOf(channel).push(job),
    async receive(channels) {
      for (const channel of channels) {
        const job = queueOf(channel).shift()
        if (job !== undefined)
          return { job, acknowledge: async () => undefined, putBack: async () => void queueOf(channel).unshift(job) }
      }
      return undefined
    },
    waiting: async (channel) => queueOf(channel).length,
    close: async () => queues.clear(),
  }
}

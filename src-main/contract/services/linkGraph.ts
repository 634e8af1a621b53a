/** Links between the hosts of a job. */
import { z } from 'zod'
import { count, jobId } from '../shapes/shapes.ts'

/** Pairs of hosts in one answer: some megabytes. */
const linkEdgesMax = 10_000

/** Shape of the question. */
export const linkGraphQuery = z.strictObject({
  job: jobId,
  /** Pairs of hosts, those with the most links first. */
  limit: z.int().min(1).max(linkEdgesMax).default(linkEdgesMax),
})
export type LinkGraphQuery = z.output<typeof linkGraphQuery>

/** Shape of the graph. */
export const linkGraph = z.object({
  job: jobId,
  /** `all`: every link, which a job with limits of the distance records. `first`: of each URL only the link by which it was found. */
  links: z.enum(['all', 'first']),
  /** Hosts of the pairs, with a port that is not the default. `urls`: documents of the job on this host, also those out of scope. */
  nodes: z.array(z.object({ host: z.string(), urls: count })),
  /** Both ends are hosts of `nodes`, and may be the same one. */
  edges: z.array(z.object({ source: z.string(), target: z.string(), links: count })),
  /** Pairs beyond the limit. */
  edgesLeftOut: count,
})
export type LinkGraph = z.output<typeof linkGraph>

/** Calls and events about the engine itself: its version, its ports, and problems outside of any call. */
import { z } from 'zod'
import { roles } from '../calls/caller.ts'
import { faultCodes } from '../calls/faults.ts'
import { call, event } from '../calls/service.ts'
import { messageShape, nothing, time, jobId } from '../shapes/shapes.ts'

export const systemService = {
  about: call(
    nothing,
    z.object({
      /** Who asks: the account, and what it is for. */
      account: z.string(),
      roles: z.array(z.enum(roles)),
      version: z.string(),
      shell: z.enum(['electron', 'server', 'cli']),
      archive: z.string(),
      /** Proxy address for browsers that display archived pages, `host:port`. */
      proxy: z.string(),
      /** Host name under which the proxy answers queries about itself: getFile, getRecord, getMetadata, getStatus. */
      commandHost: z.string(),
      /**
       * User and password of a proxy connection that may change what the interface's viewing shows and records: for scripts, never for a
       * browser. The token changes at each start.
       */
      commandUser: z.string(),
      /** '' for callers who may not have it. */
      commandToken: z.string(),
      certificate: z.object({ path: z.string(), spkiSha256: z.string() }),
      runtime: z.string(),
    }),
  ),
  /** A problem outside of any call: where it happened, with the fault that a call would have returned. */
  problem: event(
    z.object({
      at: time,
      message: messageShape,
      code: z.enum(faultCodes),
      of: z.enum(['crawl', 'viewer', 'archive']),
      /** The job that cannot continue because of the problem; null when it does not concern a single job. */
      job: jobId.nullable(),
    }),
  ),
}

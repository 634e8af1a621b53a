/** The output of a dry run: documents are fetched, evaluated and counted, but not stored. Digests are still computed, since
 *  duplicates and unchanged documents are recognised by them. */
import { newRecord, recordStreamed } from '../../../formats/records/warcWriter.ts'
import type { Captured } from '../fetch/outcome.ts'
import type { OutputConnector } from './connector.ts'

/** Stores nothing. */
export const nullOutput: OutputConnector = {
  name: 'null',
  version: 1,
  keeps: false,
  open: () => ({
    prepare: async (_document, captured, known) => {
      const isUnchanged = captured.kind === 'answered' && captured.earlier !== undefined && known !== undefined
      const payloadDigest = isUnchanged ? known.original.payloadDigest : await payloadDigestOf(captured)
      const kind = isUnchanged ? 'revisit' : 'response'
      return {
        response: [],
        others: [],
        payloadDigest,
        namedDigest: payloadDigest,
        count: 0,
        kind,
        id: '',
        capture: null,
      }
    },
    keep: async (records) => records.map(() => null),
    commit: () => undefined,
    abandon: async () => undefined,
    close: async () => undefined,
  }),
}

async function payloadDigestOf(captured: Captured): Promise<string> {
  const { response } = captured
  const record = {
    ...{ type: 'response' as const, id: '', dateMs: captured.startedMs, fields: [], contentType: undefined },
    payload: { offset: captured.kind === 'local' ? 0 : captured.head.bytes },
  }
  const { payloadDigest } = response.memory
    ? newRecord({ ...record, block: response.memory })
    : await recordStreamed({ ...record, blockBytes: response.bytes, block: () => response.read() })
  if (payloadDigest === undefined) throw new Error('a record with a payload has its digest')
  return payloadDigest
}

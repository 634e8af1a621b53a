/** Kinds of steps for tests: they do nothing by themselves. */
import { z } from 'zod'
import { destinationKind, processorKind, scannerKind, type StepKinds } from '../model/steps.ts'

const nothing = z.strictObject({})

/** Kinds that a plan can be checked with. */
export const fakeKinds: StepKinds = {
  source: scannerKind({
    settings: z.strictObject({ count: z.int().default(0) }),
    open: () => ({ scan: () => (async function* () {})(), find: () => Promise.resolve(undefined) }),
  }),
  change: processorKind({
    isMutating: true,
    settings: z.strictObject({ pattern: z.string().optional() }),
    open: () => ({ process: (document) => ({ kind: 'document', document }) }),
  }),
  index: destinationKind({
    ...{ effect: 'idempotent', isMutating: false, guarantee: 'atLeastOnce', batchMax: 10 },
    settings: nothing,
    open: () => ({ send: (documents) => Promise.resolve(documents.map(() => ({ isAccepted: true }))) }),
  }),
  notify: destinationKind({
    ...{ effect: 'potent', isMutating: false, guarantee: 'atMostOnce', batchMax: 1 },
    settings: nothing,
    open: () => ({ send: (documents) => Promise.resolve(documents.map(() => ({ isAccepted: true }))) }),
  }),
  stamp: destinationKind({
    ...{ effect: 'potent', isMutating: true, guarantee: 'atMostOnce', batchMax: 1 },
    settings: nothing,
    open: () => ({ send: (documents) => Promise.resolve(documents.map(() => ({ isAccepted: true }))) }),
  }),
}

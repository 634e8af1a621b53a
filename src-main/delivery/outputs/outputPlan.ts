/** The plan of an output connection: its documents go through its processors to its destination. Users do not see it. */
import { z } from 'zod'
import { deliveryPlanShape, type DeliveryPlan } from '../../contract/services/deliveryPlan.ts'
import type { OutputStep } from '../../contract/services/outputs.ts'
import { outputSpecificationShape } from '../../contract/shapes/outputChoice.ts'
import { fieldOf, type Document } from '../model/document.ts'
import { processorKind, type Scanner, type StepKinds } from '../model/steps.ts'
import { stepKinds } from '../run/stepKinds.ts'
import { outputDocumentStatements } from './outputDocuments.sql.ts'
import type { OpenedOutput } from './openedOutput.ts'

/** Names of the steps, which are stored: the statuses of documents hang on them. */
export const outputStepNames = { scanner: 'documents', destination: 'output' } as const

/** Attempts for a document that is not refused for good: with the pause between them, a destination may be down for more than a day. */
const attemptsMax = 100
/** Time between two looks for what has changed. */
const lookSeconds = 0.5
/** Time after which a batch is sent that is not full. */
const batchDelayMs = 500

/** What varies between outputs. */
interface OutputPlanSetting {
  name: string
  steps: readonly OutputStep[]
  /** Pause before a failed document is sent again. */
  retryDelayMs: number
}

/** Makes the plan. */
export function outputPlan({ name, steps, retryDelayMs }: OutputPlanSetting): DeliveryPlan {
  const between = [...new Set(steps), 'fields']
  const { scanner, destination } = outputStepNames
  return deliveryPlanShape.parse({
    name,
    steps: [
      { name: scanner, kind: 'outputDocuments', attemptsMax, intervalSeconds: lookSeconds },
      ...between.map((step, at) => ({
        name: step,
        kind: step === 'fields' ? 'outputFields' : step,
        after: [between[at - 1] ?? scanner],
      })),
      { name: destination, kind: 'output', after: ['fields'], guarantee: 'atLeastOnce', retryDelayMs, batchDelayMs },
    ],
  })
}

/** Raised when a processor makes something else of the same document. */
const processorsVersion = 1

/** Returns the version of the processors of an output. */
export function transformationVersionOf(steps: readonly OutputStep[]): string {
  return `${processorsVersion} ${[...new Set(steps)].join(' ')}`
}

const nothing = z.strictObject({})

/** Makes the kinds of steps of the plan: those of plans of users, and those of this output. */
export function outputStepKinds({
  output,
  opened,
  scanner,
  requestsMax,
}: {
  output: number
  opened: OpenedOutput
  scanner: Scanner
  requestsMax: number
}): StepKinds {
  return {
    ...stepKinds,
    outputDocuments: { role: 'scanner', effect: 'safe', isMutating: false, settings: nothing, open: () => scanner },
    outputFields: processorKind({
      isMutating: true,
      settings: nothing,
      open(_, { store }) {
        const { specification } = outputDocumentStatements(store)
        return {
          process(document) {
            const job = Number(fieldOf(document, 'job'))
            const { fields } = outputSpecificationShape.parse(
              JSON.parse(specification.get({ output, job })?.specification ?? '{}'),
            )
            return { kind: 'document', document: fields ? renamed(document, fields) : document }
          },
        }
      },
    }),
    output: {
      ...{ role: 'destination', effect: 'idempotent', isMutating: false, settings: nothing },
      ...{ guarantee: 'atLeastOnce', batchMax: opened.batchMax, requestsMax, open: () => opened.destination },
    },
  }
}

function renamed(document: Document, names: Readonly<Record<string, string>>): Document {
  const fields = Object.entries(document.fields).map(([name, values]) => [
    Object.hasOwn(names, name) ? (names[name] ?? name) : name,
    values,
  ])
  return { ...document, fields: Object.fromEntries(fields) as Document['fields'] }
}

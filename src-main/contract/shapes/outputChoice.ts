/** Outputs that a harvest names, each with what of the documents goes there. */
import { z } from 'zod'
import { refusedAs } from '../calls/refusedValue.ts'
import { message } from '../words/message.ts'
import { mediaTypeRange } from './mediaTypes.ts'
import { nameShape } from './names.ts'

/** Name of an output connection: ManifoldCF allows 32 characters. */
export const outputNameShape = nameShape.max(32)

/** Outputs of an archive, and of one harvest: each has queues of its own. */
export const outputsMax = 16

const fieldName = z.string().trim().min(1).max(200)

/** Which documents go to an output, and how. It is a part of the version of each: a change sends them again. */
export const outputSpecificationShape = z.strictObject({
  /** Media types that are sent; absent: those that the connector takes. */
  mediaTypes: z.array(mediaTypeRange).min(1).max(100).optional(),
  /** Length of the content, at most; longer documents are not sent. */
  bytesMax: z.int().min(1).optional(),
  /** Name of a field → its name at the output. */
  fields: z.record(fieldName, fieldName).optional(),
})
export type OutputSpecification = z.output<typeof outputSpecificationShape>

/** An output of a harvest. */
export const outputChoiceShape = outputSpecificationShape.extend({ output: outputNameShape })
export type OutputChoice = z.output<typeof outputChoiceShape>

/** The outputs of a harvest, each once. */
export const outputChoices = z
  .array(outputChoiceShape)
  .max(outputsMax)
  .superRefine((choices, { addIssue }) => {
    choices.forEach(({ output }, at) => {
      const first = choices.findIndex((other) => other.output.toLowerCase() === output.toLowerCase())
      if (first === at) return
      addIssue({ code: 'custom', path: [at, 'output'], ...refusedAs((field) => message('value.twice', { field })) })
    })
  })

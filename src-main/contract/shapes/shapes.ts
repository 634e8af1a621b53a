/** Small shapes shared by all parts of the contract. */
import { z } from 'zod'
import { refusedAs } from '../calls/refusedValue.ts'
import { message, type Message, type MessageValue } from '../words/message.ts'

export const time = z.iso.datetime()
export const count = z.int().min(0)
export const jobId = z.int().min(1)
export const nothing = z.object({})
/** A digest as `sha256sum` prints it, in upper or lower case. */
export const sha256 = z
  .string()
  .trim()
  .toLowerCase()
  .refine(
    (text) => /^[0-9a-f]{64}$/.test(text),
    refusedAs((field) => message('value.sha256', { field })),
  )
/** Paging of a list: the offset of the first row, and the number of rows. */
export const page = { offset: count.default(0), limit: z.int().min(1).max(1000).default(200) }

const messageValue: z.ZodType<MessageValue> = z.lazy(() => z.union([z.string(), z.number(), messageShape]))
/** Text for users as the engine sends it: rendered by the interface and the command line (`textOf` of `words/render.ts`). */
export const messageShape: z.ZodType<Message> = z.object({
  code: z.string(),
  values: z.record(z.string(), messageValue).exactOptional(),
})

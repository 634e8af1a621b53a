/** Media types as people name them: one, or all of a kind. */
import { z } from 'zod'
import { refusedAs } from '../calls/refusedValue.ts'
import { message } from '../words/message.ts'

/** `type/subtype`, or `type/*` for every subtype (RFC 9110 section 12.5.1). */
const typeRange = /^(?:\*\/\*|[a-z0-9!#$&^_.+-]+\/(?:\*|[a-z0-9!#$&^_.+-]+))$/

/** Shape of a media type, or of a range of them. */
export const mediaTypeRange = z
  .string()
  .trim()
  .toLowerCase()
  .refine(
    (type) => typeRange.test(type),
    refusedAs((field) => message('value.mediaType', { field })),
  )

/** Names that users give to templates, configurations, lists and fields. */
import { z } from 'zod'
import { refusedAs } from '../calls/refusedValue.ts'
import { message } from '../words/message.ts'

/** A name in one line. Names are compared without the case of ASCII letters where they have to be unique. */
export const nameShape = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .refine(
    (text) => !/\p{Cc}/u.test(text),
    refusedAs((field) => message('value.name', { field })),
  )

/** Comments of users about what they named. */
export const commentsShape = z.string().max(10_000)

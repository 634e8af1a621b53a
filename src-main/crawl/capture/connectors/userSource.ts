/** What a module of the user returns that is a source of documents, and its answers, checked. */
import { z } from 'zod'
import { linksMax, versionFieldCharactersMax } from '../../model/limits.ts'

/** A source of documents: what the default export of a module returns. */
export interface UserSource {
  /** Reads the document of a URL. Undefined or null: there is no such document. Everything that it throws is a failure of the
   *  document, which is tried again. */
  read(url: string, context: { isList: boolean; signal: AbortSignal }): unknown
  /** Called once, when the run ends or pauses. */
  close?(): unknown
}

/** The content of a document: whole, or in pieces. */
export type UserBody = string | Uint8Array | AsyncIterable<string | Uint8Array>

const isBody = (value: unknown): value is UserBody =>
  typeof value === 'string' ||
  value instanceof Uint8Array ||
  (typeof value === 'object' && value !== null && Symbol.asyncIterator in value)

/** Shape of what `read` returns. */
export const userDocument = z.strictObject({
  body: z.custom<UserBody>(isBody).default(''),
  mediaType: z.string().min(1).max(200).optional(),
  /** Time of the last change. */
  modified: z.date().optional(),
  /** Identifies this state of the document: the same string as in the list while the document is unchanged. */
  version: z.string().min(1).max(versionFieldCharactersMax).optional(),
  /** Of a list: its documents, and further lists. */
  links: z
    .array(
      z.strictObject({
        url: z.string(),
        version: z.string().min(1).max(versionFieldCharactersMax).optional(),
        isList: z.boolean().default(false),
      }),
    )
    .max(linksMax)
    .default([]),
})
export type UserDocument = z.output<typeof userDocument>

/** Functions that a source must have. */
export const sourceFunctions = ['read'] as const

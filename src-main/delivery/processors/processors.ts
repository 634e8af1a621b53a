/** Processors that read the content of a document into fields, split it, or drop it. They use the parsers of `formats`; none connects to
 *  anything. */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { patternShape } from '../../contract/shapes/pattern.ts'
import { matcherOf, patternOf } from '../../patterns/pattern.ts'
import { message } from '../../contract/words/message.ts'
import { listEntries } from '../../formats/links/listEntries.ts'
import { extractLinks, type LinkSource } from '../../formats/links/links.ts'
import { textCharactersMax } from '../../formats/text/extracted.ts'
import { extractText, textFormOf } from '../../formats/text/extractText.ts'
import { pageText } from '../../formats/text/pageText.ts'
import { contentOf, fieldOf, partOf, withFields, type Document, type Fields } from '../model/document.ts'
import { processorKind, StepFault, type Processed } from '../model/steps.ts'

const nothing = z.strictObject({})

/** Links of one document, at most. */
const linksMax = 10_000

/** Adds the URLs that a document links to as `links`, and those that it loads as `embeds`. */
export const links = processorKind({
  isMutating: true,
  settings: nothing,
  open: () => ({
    async process(document) {
      const found = extractLinks(await linkSource(document)).links
      const urls = (kind: 'navigation' | 'embed') => [
        ...new Set(found.filter((link) => link.kind === kind).map(({ url }) => url)),
      ]
      return going(withFields(document, { links: urls('navigation'), embeds: urls('embed') }))
    },
  }),
})

/** Adds the title of a page, a feed or a sitemap as `title`. */
export const title = processorKind({
  isMutating: true,
  settings: nothing,
  open: () => ({
    async process(document) {
      const found = extractLinks(await linkSource(document)).title
      return going(found === undefined ? document : withFields(document, { title: [found] }))
    },
  }),
})

/** Adds the text of a page, a plain text or a feed as `text`, as the text index reads it. */
export const text = processorKind({
  isMutating: true,
  settings: z.strictObject({ charactersMax: z.int().min(1).max(textCharactersMax).default(textCharactersMax) }),
  open: ({ charactersMax }) => ({
    async process(document) {
      const source = await linkSource(document)
      const form = textFormOf(source)
      if (form === 'none' || form === 'pdf') return going(document)
      return going(withFields(document, { text: [extractText(source, form).text.slice(0, charactersMax)] }))
    },
  }),
})

/** Adds the language that a page declares as `language`. Nothing is guessed from the text. */
export const language = processorKind({
  isMutating: true,
  settings: nothing,
  open: () => ({
    async process(document) {
      const { body, charset } = await linkSource(document)
      const declared = pageText({ body: body.subarray(0, 64 * 1024), charset }, { charactersMax: 1 }).language
      return going(declared === '' ? document : withFields(document, { language: [declared] }))
    },
  }),
})

/** Adds the checksum of the content as `checksum`, in the form `sha256:HEX`. */
export const checksum = processorKind({
  isMutating: true,
  settings: z.strictObject({ algorithm: z.enum(['sha256', 'sha512', 'sha1', 'md5']).default('sha256') }),
  open: ({ algorithm }) => ({
    async process(document) {
      const { bytes, isTruncated } = await document.content.load()
      if (isTruncated) throw new StepFault(message('delivery.checksum.long'), { isLasting: true })
      const hex = createHash(algorithm).update(bytes).digest('hex')
      return going(withFields(document, { checksum: [`${algorithm}:${hex}`] }))
    },
  }),
})

/** Splits a feed or a sitemap into its entries. Any other document goes on as it is. */
export const split = processorKind({
  isMutating: true,
  settings: z.strictObject({ partsMax: z.int().min(1).max(50_000).default(10_000) }),
  open: ({ partsMax }) => ({
    async process(document) {
      const { form, entries } = listEntries({ ...(await linkSource(document)), linksMax: partsMax })
      if (form === 'none') return going(document)
      const parts = entries.slice(0, partsMax).map(({ url, kind, ...entry }, at) => {
        const list = fieldOf(document, 'url') ?? document.id
        const fields = { ...placeOf(document), url: [url], entry: [kind], list: [list] }
        const more = {
          ...(entry.title !== undefined && { title: [entry.title] }),
          ...(entry.date !== undefined && { date: [entry.date] }),
        }
        return partOf(document, at, {
          fields: { ...fields, ...more },
          content: contentOf(Buffer.from(JSON.stringify({ url, ...entry }))),
        })
      })
      return { kind: 'parts', parts }
    },
  }),
})

/** Fields that say which record a part comes from. */
function placeOf({ fields }: Document): Fields {
  const names = ['job', 'time', 'file', 'offset'].filter((name) => Object.hasOwn(fields, name))
  return Object.fromEntries(names.map((name) => [name, fields[name] ?? []]))
}

/** Drops a document if any value of a field matches a pattern; with `unless`, if none does. */
export const drop = processorKind({
  isMutating: false,
  settings: z.strictObject({ field: z.string().min(1), pattern: patternShape, unless: z.boolean().default(false) }),
  open: ({ field, pattern, unless }) => {
    const matcher = matcherOf([patternOf(pattern)])
    const matches = (value: string) => matcher.first(value) !== undefined
    return {
      process(document) {
        const values = Object.hasOwn(document.fields, field) ? (document.fields[field] ?? []) : []
        const isDropped = values.some((value) => matches(value)) !== unless
        return isDropped ? { kind: 'dropped', why: message('delivery.dropped', { field, pattern }) } : going(document)
      },
    }
  },
})

function going(document: Document): Processed {
  return { kind: 'document', document }
}

/** The content of a document for the parsers of links. */
async function linkSource(document: Document): Promise<LinkSource & { charset: string | undefined }> {
  const { bytes, charset } = await document.content.load()
  const [url, mediaType] = [fieldOf(document, 'url') ?? '', fieldOf(document, 'mediaType') ?? '']
  return { url, mediaType, charset, body: bytes, linksMax }
}

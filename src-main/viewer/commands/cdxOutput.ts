/** Output formats of the CDX server: those of pywb, and the two older column formats. Pure. */
import { cdxColumn, cdxHeaders, cdxLine } from '../../formats/cdx/cdxColumns.ts'
import { cdxjLine } from '../../formats/cdx/cdxj.ts'
import { captureFields, type IndexedCapture } from '../../indexes/indexes.ts'
import { mementoLink } from '../replay/mementos.ts'

/** Names of the formats, as values of the parameter `output`. */
export const outputs = ['cdxj', 'json', 'text', 'link', 'cdx11', 'cdx9'] as const

/** Fields that can be selected; `job` is an addition of Loupe. */
export const listedFields = [...captureFields, 'job'] as const
export type ListedField = (typeof listedFields)[number]

/** The format of an answer. */
export interface Output {
  kind: (typeof outputs)[number]
  /** Selected fields in the requested order. Undefined: the default fields. */
  fields: readonly ListedField[] | undefined
}

/** Whether the fields of an output can be selected. */
export const chooses = (kind: Output['kind']): boolean => kind === 'cdxj' || kind === 'json' || kind === 'text'

const mediaTypes: Partial<Record<Output['kind'], string>> = {
  json: 'application/x-ndjson',
  link: 'application/link-format',
}

/** Formats captures; the text is empty where there are none. */
export function listedAs(captures: readonly IndexedCapture[], output: Output): { text: string; mediaType: string } {
  const lines = linesOf(captures, output)
  // List members are separated by commas (RFC 6690 2).
  const text = output.kind === 'link' ? lines.join(',\n') : lines.join('\n')
  return { text: lines.length === 0 ? '' : `${text}\n`, mediaType: mediaTypes[output.kind] ?? 'text/plain' }
}

function linesOf(captures: readonly IndexedCapture[], { kind, fields }: Output): string[] {
  switch (kind) {
    case 'cdxj':
      return captures.map((capture) => cdxjOf(capture, fields))
    case 'json':
      return captures.map((capture) => JSON.stringify(jsonOf(capture, fields)))
    case 'text':
      return captures.map((capture) => textOf(capture, fields ?? captureFields))
    case 'link':
      // Only captures of GET requests: the content of others cannot be sent to a memento.
      return captures.filter(({ method }) => method === undefined).map((capture) => mementoLink(capture, 'memento'))
    default:
      return [cdxHeaders[kind], ...captures.map((capture) => cdxLine(capture, kind))]
  }
}

/** A line of CDXJ. Key and timestamp come first, whichever fields are selected. */
function cdxjOf(capture: IndexedCapture, fields: Output['fields']): string {
  if (fields === undefined) return cdxjLine(capture)
  const job = capture.job === null ? {} : { job: String(capture.job) }
  return cdxjLine({ ...capture, fields: { ...capture.fields, ...job } }, fields)
}

/** A capture as JSON with key and timestamp among the other fields, as in pywb. */
function jsonOf(capture: IndexedCapture, fields?: Output['fields']): Record<string, string | number> {
  const [urlkey = '', timestamp = '', ...json] = cdxjLine(capture).split(' ')
  const others = JSON.parse(json.join(' ')) as Record<string, string>
  const job = capture.job === null ? {} : { job: capture.job }
  const all: Record<string, string | number> = { urlkey, timestamp, ...others, ...job }
  if (fields === undefined) return all
  return Object.fromEntries(fields.flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]]])))
}

/** Fields separated by blanks, with `-` for empty ones. */
function textOf(capture: IndexedCapture, fields: readonly ListedField[]): string {
  const all = jsonOf(capture)
  return fields.map((name) => cdxColumn(String(all[name] ?? ''))).join(' ')
}

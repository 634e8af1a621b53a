/** How a CDX server writes what it lists: the outputs of pywb, and the two older orders of columns. Pure. */
import { cdxColumn, cdxHeaders, cdxLine } from '../../formats/cdx/cdxColumns.ts'
import { cdxjLine } from '../../formats/cdx/cdxj.ts'
import { captureFields, type IndexedCapture } from '../../indexes/indexes.ts'
import { mementoLink } from '../replay/mementos.ts'

export const outputs = ['cdxj', 'json', 'text', 'link', 'cdx11', 'cdx9'] as const

/** What can be chosen of a capture; the job is ours. */
export const listedFields = [...captureFields, 'job'] as const
export type ListedField = (typeof listedFields)[number]

export interface Output {
  kind: (typeof outputs)[number]
  /** Undefined: as ever. In the order in which they are asked for. */
  fields: readonly ListedField[] | undefined
}

/** Those whose columns are fixed have none to choose. */
export const chooses = (kind: Output['kind']): boolean => kind === 'cdxj' || kind === 'json' || kind === 'text'

const mediaTypes: Partial<Record<Output['kind'], string>> = {
  json: 'application/x-ndjson',
  link: 'application/link-format',
}

export function listedAs(captures: readonly IndexedCapture[], output: Output): { text: string; mediaType: string } {
  const lines = linesOf(captures, output)
  // RFC 6690 2: members of a list are parted by commas.
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
      // Nobody could ask a memento with the content that makes the others.
      return captures.filter(({ method }) => method === undefined).map((capture) => mementoLink(capture, 'memento'))
    default:
      return [cdxHeaders[kind], ...captures.map((capture) => cdxLine(capture, kind))]
  }
}

/** Key and moment stand before the fields, whichever are chosen. */
function cdxjOf(capture: IndexedCapture, fields: Output['fields']): string {
  if (fields === undefined) return cdxjLine(capture)
  const job = capture.job === null ? {} : { job: String(capture.job) }
  return cdxjLine({ ...capture, fields: { ...capture.fields, ...job } }, fields)
}

/** A line of CDXJ, its key and moment among the other fields, as pywb has it. */
function jsonOf(capture: IndexedCapture, fields?: Output['fields']): Record<string, string | number> {
  const [urlkey = '', timestamp = '', ...json] = cdxjLine(capture).split(' ')
  const others = JSON.parse(json.join(' ')) as Record<string, string>
  const job = capture.job === null ? {} : { job: capture.job }
  const all: Record<string, string | number> = { urlkey, timestamp, ...others, ...job }
  if (fields === undefined) return all
  return Object.fromEntries(fields.flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]]])))
}

/** Values between blanks, `-` where there is none. */
function textOf(capture: IndexedCapture, fields: readonly ListedField[]): string {
  const all = jsonOf(capture)
  return fields.map((name) => cdxColumn(String(all[name] ?? ''))).join(' ')
}

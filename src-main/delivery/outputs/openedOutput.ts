/** An output connection, opened: its destination, what affects what it holds, and which documents it takes. */
import type { OutputSettings } from '../../contract/services/outputs.ts'
import type { OutputSpecification } from '../../contract/shapes/outputChoice.ts'
import type { Destination, DestinationKind, StepEnvironment } from '../model/steps.ts'
import { stepKinds } from '../run/stepKinds.ts'

/** A document that a connector may not take. */
export interface OfferedDocument {
  url: string
  mediaType: string | undefined
  /** Length of its content as it was received; undefined: not known. */
  bytes: number | undefined
}

/** An output that can be used. */
export interface OpenedOutput {
  destination: Destination
  /** Documents in a request. */
  batchMax: number
  /** Returns what affects the documents there apart from their content. It is only compared with what was returned before. */
  versionOf(specification: OutputSpecification): string
  /** Whether the output takes the document, apart from what the specification says. */
  takes(document: OfferedDocument): boolean
  /** Never rejects. */
  close?(): Promise<void>
}

/** Media types of documents that search engines take where the specification of a job names none: those whose text they get. */
const textTypes = ['text/*', 'application/xhtml+xml']

/** Settings that change nothing of what is held: credentials, and when it becomes visible. */
const withoutEffect = ['headers', 'commitWithinMs']

/** Opens an output of one of the kinds that Loupe has. */
export function openedKind(
  given: Exclude<OutputSettings, { connector: 'module' }>,
  environment: StepEnvironment,
): OpenedOutput {
  const { connector, ...settings } = given
  const kind = stepKinds[connector] as DestinationKind
  const version = Object.entries(settings).filter(([name]) => !withoutEffect.includes(name))
  const isSearchEngine = connector === 'solr' || connector === 'openSearch'
  return {
    destination: kind.open(settings, environment),
    batchMax: kind.batchMax,
    // What is taken at all is decided anew each time, and changes nothing of what is held.
    versionOf: ({ fields }) => JSON.stringify([version, fields]),
    takes: ({ mediaType }) => !isSearchEngine || isOneOf(textTypes, mediaType),
  }
}

/** Whether a document goes to the output of a job. Types that the specification names replace those that the connector takes. */
export function isTaken(
  output: Pick<OpenedOutput, 'takes'>,
  { mediaTypes, bytesMax }: OutputSpecification,
  document: OfferedDocument,
): boolean {
  if (bytesMax !== undefined && (document.bytes ?? 0) > bytesMax) return false
  return mediaTypes === undefined ? output.takes(document) : isOneOf(mediaTypes, document.mediaType)
}

function isOneOf(ranges: readonly string[], mediaType: string | undefined): boolean {
  const [type = ''] = (mediaType ?? '').toLowerCase().split('/')
  return ranges.some((range) => range === '*/*' || range === mediaType?.toLowerCase() || range === `${type}/*`)
}

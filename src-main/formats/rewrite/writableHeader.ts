/** Makes the header of a WARC record suitable for a new file. Every reader must be able to read it: a known version,
 *  lines that are fields and end with CR LF, and exactly one WARC-Type, WARC-Record-ID, WARC-Date and Content-Length
 *  (WARC 1.1, 4 and 5). A valid header is unchanged byte by byte. Others are completed when nothing has to be
 *  invented; old values are kept as `Original-…`. */
import { message, type Message } from '../../contract/words/message.ts'
import { parseTimestamp } from '../cdx/timestamp.ts'
import type { RuleName } from '../rules/rules.ts'
import type { Changed } from './account.ts'
import { headerBytes, headerLines, newLine, valueOf, type FieldLine, type HeaderLines } from './headerLines.ts'

/** The block that follows the header. */
export interface BlockFacts {
  blockBytes: number
  /** Spelled as in WARC-Block-Digest; undefined when the digests in the header match the block. */
  blockDigest: string | undefined
  /** True when bytes of the block are missing (WARC 1.1, 5.15). */
  isTruncated: boolean
}

/** Something that is wrong with a header, by its rule. */
export interface HeaderFault {
  rule: RuleName
  /** Description in one sentence. */
  message: Message
}

/** `changes`: what was completed, except for changes due to the block. `lacks`: why the record cannot be written. */
export type Writable = { header: Uint8Array; changes: HeaderFault[] } | { header: undefined; lacks: HeaderFault }

/** Returns a header that can be written. `newId` returns a unique URI for a record without an ID. */
export function writableHeader(header: Uint8Array, facts: BlockFacts, newId: () => string): Writable {
  const lines = headerLines(header)
  const draft = new Draft(lines.fields)
  for (const name of onlyOnce) draft.takeFirst(name)
  const lacks = completeType(draft) ?? completeDate(draft)
  if (lacks) return { header: undefined, lacks }
  completeId(draft, newId)
  describeBlock(draft, facts)
  const version = completeVersion(draft, lines)
  if (lines.odd.length > 0) draft.changes.push(oddLines(lines.odd))
  const written = headerBytes({ version, fields: draft.fields })
  if (!lines.isWellEnded) draft.changes.push({ rule: 'headerLineEndOdd', message: message('rewrite.lineEnds') })
  return { header: Buffer.compare(written, header) === 0 ? header : written, changes: draft.changes }
}

/** Combines the changes of one record for `Account`. */
export function together(changes: readonly HeaderFault[]): Pick<Changed, 'rules' | 'messages'> {
  return { rules: [...new Set(changes.map(({ rule }) => rule))], messages: changes.map(({ message }) => message) }
}

/** Mandatory fields, which must occur exactly once (WARC 1.1, 5.1). */
const onlyOnce = ['WARC-Type', 'WARC-Record-ID', 'WARC-Date', 'Content-Length'] as const

/** The fields of a header while they are completed, with the changes so far. Fields that are not touched keep
 *  their text and order. */
class Draft {
  fields: FieldLine[]
  readonly changes: HeaderFault[] = []
  constructor(fields: FieldLine[]) {
    this.fields = fields
  }

  /** Returns the value of a field; undefined when it is missing or empty. */
  value(name: string): string | undefined {
    const line = this.fields.find((field) => field.name === name.toLowerCase())
    const value = line && valueOf(line)
    return value === '' ? undefined : value
  }

  add(name: string, value: string): void {
    this.fields = [...this.fields, newLine(name, value)]
  }

  /** Renames a field whose value is wrong to `Original-…`. An empty one is removed. */
  supersede(name: string): void {
    this.#each(name, (line) => (valueOf(line) === '' ? undefined : original(line)))
  }

  /** Keeps the first of several fields with the same name, which is the one that Loupe reads. */
  takeFirst(name: string): void {
    const values = this.fields.filter((field) => field.name === name.toLowerCase()).map(valueOf)
    if (values.length < 2) return
    let count = 0
    this.#each(name, (line) => (count++ === 0 ? line : original(line)))
    const isSame = values.every((value) => value === values[0])
    this.changes.push({
      rule: isSame ? 'fieldRepeated' : 'fieldContradicts',
      message: message('rewrite.repeated', { field: name, count: values.length }),
    })
  }

  #each(name: string, become: (line: FieldLine) => FieldLine | undefined): void {
    this.fields = this.fields.flatMap((line) => (line.name === name.toLowerCase() ? (become(line) ?? []) : line))
  }
}

function original({ name, text }: FieldLine): FieldLine {
  return { name: `original-${name}`, text: `Original-${text}` }
}

/** Adds a missing or invalid type where the Content-Type shows it. Returns the reason when it does not. */
function completeType(draft: Draft): HeaderFault | undefined {
  const given = draft.value('WARC-Type')
  if (given !== undefined && /^[!-~]+$/.test(given)) return undefined
  const type = typeByContent(draft)
  if (type === undefined) return { rule: 'typeMissing', message: message('rewrite.type.none') }
  draft.supersede('WARC-Type')
  draft.add('WARC-Type', type)
  draft.changes.push({ rule: 'typeMissing', message: message('rewrite.type.added', { type }) })
  return undefined
}

/** Returns the type of a record by its Content-Type, which may name the kind of message (WARC 1.1, 6.3 and 6.5). A
 *  revisit may have the type of a response too. */
function typeByContent(draft: Draft): 'request' | 'response' | undefined {
  const messageType = /^application\/http\s*;\s*msgtype\s*=\s*"?(request|response)"?\s*$/i.exec(
    draft.value('Content-Type') ?? '',
  )?.[1]
  const mayBeRevisit = draft.fields.some(({ name }) => name === 'warc-profile' || name.startsWith('warc-refers-to'))
  if (messageType?.toLowerCase() === 'request') return 'request'
  return messageType === undefined || mayBeRevisit ? undefined : 'response'
}

/** Checks the date. Nothing else in a record states when it was made: the date sent by a server may be years off. */
function completeDate(draft: Draft): HeaderFault | undefined {
  const given = draft.value('WARC-Date')
  if (given === undefined) return { rule: 'dateMissing', message: message('rewrite.date.missing') }
  if (parseTimestamp(given) !== undefined) return undefined
  return { rule: 'dateInvalid', message: message('rewrite.date.invalid', { date: given.slice(0, 40) }) }
}

/** Adds an ID when it is missing. An ID only distinguishes records, so a new one makes no false statement. */
function completeId(draft: Draft, newId: () => string): void {
  const given = draft.value('WARC-Record-ID')
  if (given !== undefined && /^[!-~]+$/.test(given)) return
  draft.supersede('WARC-Record-ID')
  draft.add('WARC-Record-ID', `<${newId()}>`)
  draft.changes.push({ rule: 'recordIdMissing', message: message('rewrite.id.added') })
}

/** Updates the fields about the block. WARC-Payload-Digest is renamed with the block digest, because the bytes that
 *  it covered are no longer known. */
function describeBlock(draft: Draft, { blockBytes, blockDigest, isTruncated }: BlockFacts): void {
  const length = draft.value('Content-Length')
  if (length === undefined || !/^\d+$/.test(length) || Number(length) !== blockBytes) {
    draft.supersede('Content-Length')
    draft.add('Content-Length', String(blockBytes))
  }
  if (blockDigest !== undefined) {
    for (const name of ['WARC-Block-Digest', 'WARC-Payload-Digest']) draft.supersede(name)
    draft.add('WARC-Block-Digest', blockDigest)
  }
  // A record that was already truncated for another reason (length, time) keeps that reason.
  if (isTruncated && draft.value('WARC-Truncated') === undefined) draft.add('WARC-Truncated', 'unspecified')
}

/** Returns the version to write. All versions have the same form of header, and the newest allows everything that
 *  older ones do. */
function completeVersion(draft: Draft, { version }: HeaderLines): string {
  const known = /^(WARC\/(?:0\.1[678]|1\.[01]))[ \t]*$/i.exec(version)?.[1]?.toUpperCase()
  if (known !== undefined) return known
  const shown = version
    .replace(/[^ -~]/g, ' ')
    .trim()
    .slice(0, 100)
  draft.add('Original-Version', shown)
  draft.changes.push({ rule: 'versionUnknown', message: message('rewrite.version', { version: shown }) })
  return 'WARC/1.1'
}

function oddLines(odd: readonly string[]): HeaderFault {
  const [first = ''] = odd
  const line = JSON.stringify(first.slice(0, 200))
  return { rule: 'fieldOdd', message: message('rewrite.oddLines', { count: odd.length, line }) }
}

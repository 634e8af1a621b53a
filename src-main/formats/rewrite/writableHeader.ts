/** The header of a WARC record as it may stand in a new file. Every reader of the field must be able to read it: a known
 *  version, lines that are fields and end with CR LF, and each of WARC-Type, WARC-Record-ID, WARC-Date and Content-Length
 *  once (WARC 1.1, 4 and 5). What is so already stays as it is, byte by byte. What is not is completed where nothing has to
 *  be invented for it; old values stay in the header as `Original-…`, so that nothing is hidden. */
import { parseTimestamp } from '../cdx/timestamp.ts'
import type { RuleName } from '../rules/rules.ts'
import { headerBytes, headerLines, newLine, valueOf, type FieldLine, type HeaderLines } from './headerLines.ts'

/** What is written after the header. */
export interface BlockFacts {
  blockBytes: number
  /** In the form of WARC-Block-Digest; undefined where the digests of the header hold for the block. */
  blockDigest: string | undefined
  /** Bytes of the block are missing (WARC 1.1, 5.13). */
  isTruncated: boolean
}

export interface HeaderFault {
  rule: RuleName
  /** One sentence. */
  text: string
}

/** `changes`: what was completed, but for what the block makes necessary. `lacks`: why the record cannot be written. */
export type Writable = { header: Uint8Array; changes: HeaderFault[] } | { header: undefined; lacks: HeaderFault }

/** `newId`: the URI of an id for a record that has none; no other record may have it. */
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
  if (!lines.isWellEnded)
    draft.changes.push({ rule: 'headerLineEndOdd', text: 'The line breaks of its header were changed to CR LF.' })
  return { header: Buffer.compare(written, header) === 0 ? header : written, changes: draft.changes }
}

/** Several changes of one record, for an account of them. */
export function together(changes: readonly HeaderFault[]): { rules: string[]; text: string } {
  return { rules: [...new Set(changes.map(({ rule }) => rule))], text: changes.map(({ text }) => text).join(' ') }
}

const onlyOnce = ['WARC-Type', 'WARC-Record-ID', 'WARC-Date', 'Content-Length'] as const

class Draft {
  fields: FieldLine[]
  readonly changes: HeaderFault[] = []
  constructor(fields: FieldLine[]) {
    this.fields = fields
  }

  /** The value of a field; undefined where it is not there, or nothing is in it. */
  value(name: string): string | undefined {
    const line = this.fields.find((field) => field.name === name.toLowerCase())
    const value = line && valueOf(line)
    return value === '' ? undefined : value
  }

  add(name: string, value: string): void {
    this.fields = [...this.fields, newLine(name, value)]
  }

  /** The value no longer holds, or never did. An empty one is nothing to keep. */
  supersede(name: string): void {
    this.#each(name, (line) => (valueOf(line) === '' ? undefined : original(line)))
  }

  /** Of a field that stands there several times the first is the one that this program reads. */
  takeFirst(name: string): void {
    const values = this.fields.filter((field) => field.name === name.toLowerCase()).map(valueOf)
    if (values.length < 2) return
    let count = 0
    this.#each(name, (line) => (count++ === 0 ? line : original(line)))
    const isSame = values.every((value) => value === values[0])
    this.changes.push({
      rule: isSame ? 'fieldRepeated' : 'fieldContradicts',
      text: `Its header had ${name} ${values.length} times; only the first was kept.`,
    })
  }

  #each(name: string, become: (line: FieldLine) => FieldLine | undefined): void {
    this.fields = this.fields.flatMap((line) => (line.name === name.toLowerCase() ? (become(line) ?? []) : line))
  }
}

function original({ name, text }: FieldLine): FieldLine {
  return { name: `original-${name}`, text: `Original-${text}` }
}

function completeType(draft: Draft): HeaderFault | undefined {
  const given = draft.value('WARC-Type')
  if (given !== undefined && /^[!-~]+$/.test(given)) return undefined
  const type = typeByContent(draft)
  if (type === undefined) return { rule: 'typeMissing', text: 'Its header does not state its type.' }
  draft.supersede('WARC-Type')
  draft.add('WARC-Type', type)
  draft.changes.push({
    rule: 'typeMissing',
    text: `Its header had no WARC-Type; by its Content-Type it is a ${type}.`,
  })
  return undefined
}

/** A Content-Type may name the kind of message (WARC 1.1, 6.3 and 6.4). A revisit has that of a response too. */
function typeByContent(draft: Draft): 'request' | 'response' | undefined {
  const message = /^application\/http\s*;\s*msgtype\s*=\s*"?(request|response)"?\s*$/i.exec(
    draft.value('Content-Type') ?? '',
  )?.[1]
  const mayBeRevisit = draft.fields.some(({ name }) => name === 'warc-profile' || name.startsWith('warc-refers-to'))
  if (message?.toLowerCase() === 'request') return 'request'
  return message === undefined || mayBeRevisit ? undefined : 'response'
}

/** Nothing else in a record says when it was made: a server's own date may be years away. */
function completeDate(draft: Draft): HeaderFault | undefined {
  const given = draft.value('WARC-Date')
  if (given === undefined) return { rule: 'dateMissing', text: 'Its header has no date.' }
  if (parseTimestamp(given) !== undefined) return undefined
  return { rule: 'dateInvalid', text: `Its date is invalid (${given.slice(0, 40)}).` }
}

/** An id only tells a record from all others, so a new one says nothing that is not so. */
function completeId(draft: Draft, newId: () => string): void {
  const given = draft.value('WARC-Record-ID')
  if (given !== undefined && /^[!-~]+$/.test(given)) return
  draft.supersede('WARC-Record-ID')
  draft.add('WARC-Record-ID', `<${newId()}>`)
  draft.changes.push({ rule: 'recordIdMissing', text: 'Its header had no WARC-Record-ID; a new one was added.' })
}

/** WARC-Payload-Digest goes with the block's: of which bytes it was is no longer known. */
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
  // What was cut already for another reason (length, time) says so, and that is the first truth.
  if (isTruncated && draft.value('WARC-Truncated') === undefined) draft.add('WARC-Truncated', 'unspecified')
}

/** All versions have the same form of header. The newest allows all that an older one does. */
function completeVersion(draft: Draft, { version }: HeaderLines): string {
  const known = /^(WARC\/(?:0\.1[678]|1\.[01]))[ \t]*$/i.exec(version)?.[1]?.toUpperCase()
  if (known !== undefined) return known
  const shown = version
    .replace(/[^ -~]/g, ' ')
    .trim()
    .slice(0, 100)
  draft.add('Original-Version', shown)
  draft.changes.push({
    rule: 'versionUnknown',
    text: `Its version was ${JSON.stringify(shown)}; it is written as WARC/1.1.`,
  })
  return 'WARC/1.1'
}

function oddLines(odd: readonly string[]): HeaderFault {
  const [first = ''] = odd
  const lines =
    odd.length === 1 ? 'A line of its header was no field' : `${odd.length} lines of its header were no fields`
  return { rule: 'fieldOdd', text: `${lines} and left out: ${JSON.stringify(first.slice(0, 200))}.` }
}

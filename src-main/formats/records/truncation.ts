/** Why the content of a record is not whole: as the record itself says (WARC 1.1, section 5.15), or as its body shows. Many tools write
 *  the body of a broken connection without WARC-Truncated. */
import { truncationNames, truncations, type Truncation } from '../../contract/states/outcomes.ts'
import type { Finding } from '../rules/finding.ts'
import { recordField, type ArchiveRecord } from './record.ts'

/** `findings`: those about the body. Undefined: nothing says that it is truncated. A revisit is shorter because its content is in
 *  another record (section 6.7.2). */
export function truncationOf(
  record: Pick<ArchiveRecord, 'fields' | 'type'>,
  findings: readonly Pick<Finding, 'rule'>[] = [],
): Truncation | undefined {
  if (record.type === 'revisit') return undefined
  const stated = statedIn(record)
  return stated === undefined || stated === 'unspecified' ? (shownBy(findings) ?? stated) : stated
}

function statedIn(record: Pick<ArchiveRecord, 'fields'>): Truncation | undefined {
  const value = recordField(record, 'warc-truncated')?.trim().toLowerCase() ?? ''
  if (value === '') return undefined
  // `framing` is a reason of our own, for which the standard has no value.
  return truncationNames.find((name) => name === value && truncations[name].field === name) ?? 'unspecified'
}

function shownBy(findings: readonly Pick<Finding, 'rule'>[]): Truncation | undefined {
  const has = (wanted: Finding['rule']) => findings.some(({ rule }) => rule === wanted)
  if (has('chunkBroken')) return 'framing'
  return has('httpBodyTruncated') || has('chunksTorn') ? 'unspecified' : undefined
}

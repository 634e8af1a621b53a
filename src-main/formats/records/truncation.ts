/** Determines why the content of a record is incomplete: as the record states (WARC 1.1, 5.15), or as its body
 *  shows. Many tools store the body of a broken connection without WARC-Truncated. */
import { truncationNames, truncationFields, type Truncation } from '../../contract/states/outcomes.ts'
import type { Finding } from '../rules/finding.ts'
import { recordField, type ArchiveRecord } from './record.ts'

/** Returns the reason for which a record is truncated, or undefined when there is no sign of it. `findings` are
 *  those about the body. A revisit is never truncated: it is shorter because its content is in another record (WARC
 *  1.1, 6.7.2). */
export function truncationOf(
  record: Pick<ArchiveRecord, 'fields' | 'type'>,
  findings: readonly Pick<Finding, 'rule'>[] = [],
): Truncation | undefined {
  if (record.type === 'revisit') return undefined
  const stated = statedIn(record)
  return stated === undefined || stated === 'unspecified' ? (shownBy(findings) ?? stated) : stated
}

/** The reason in the header; an unknown one is unspecified. */
function statedIn(record: Pick<ArchiveRecord, 'fields'>): Truncation | undefined {
  const value = recordField(record, 'warc-truncated')?.trim().toLowerCase() ?? ''
  if (value === '') return undefined
  // `framing` is a reason of this application, for which the standard has no value.
  return truncationNames.find((name) => name === value && truncationFields[name] === name) ?? 'unspecified'
}

/** The reason that the findings show. */
function shownBy(findings: readonly Pick<Finding, 'rule'>[]): Truncation | undefined {
  const has = (wanted: Finding['rule']) => findings.some(({ rule }) => rule === wanted)
  if (has('chunkBroken')) return 'framing'
  return has('httpBodyTruncated') || has('chunksTorn') ? 'unspecified' : undefined
}

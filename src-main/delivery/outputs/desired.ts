/** What an output should have of a URL, compared with what it was sent. Pure. */
import { createHash } from 'node:crypto'

/** What decides whether a document is sent again. Each part is only compared. */
export interface Versions {
  /** Of the document: its payload and what is known of it. */
  version: string
  /** What the connector makes of the settings of the output and of the specification of the job. */
  outputVersion: string
  /** Of the processors between. */
  transformationVersion: string
}

/** What the output should have. `nothing`: the document is valid, and the output does not take it. `absent`: no job has it. */
export type Desired =
  | { kind: 'content'; versions: Versions }
  | { kind: 'nothing'; versions: Versions }
  | { kind: 'absent' }

/** What is known of the URL at the output. `sent`: it has been sent, whatever came of it. `none`: its version is known, and the output has
 *  nothing. `removed`: it was removed, or is being removed. */
export interface Known extends Versions {
  content: 'sent' | 'none' | 'removed'
}

/** What follows. `checked`, `remember` and `forget` are notes; only `send` and `remove` reach the output. */
export type Step = 'send' | 'remove' | 'checked' | 'remember' | 'forget'

/** Decides about one URL. */
export function stepFor(desired: Desired, known: Known | undefined): Step {
  if (desired.kind === 'content')
    return known?.content === 'sent' && areEqual(desired.versions, known) ? 'checked' : 'send'
  if (known?.content === 'sent') return 'remove'
  if (desired.kind === 'nothing')
    return known?.content === 'none' && areEqual(desired.versions, known) ? 'checked' : 'remember'
  return known?.content === 'removed' ? 'checked' : 'forget'
}

function areEqual(one: Versions, other: Versions): boolean {
  return (
    one.version === other.version &&
    one.outputVersion === other.outputVersion &&
    one.transformationVersion === other.transformationVersion
  )
}

/** Hash of a removal: no document has it. */
export const removedHash = 'removed'

/** Packs the versions of a document into its hash. */
export function hashOf({ version, outputVersion, transformationVersion }: Versions): string {
  return digestOf(JSON.stringify([version, outputVersion, transformationVersion]))
}

/** Shortens a text that is only compared: millions of rows have one. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22)
}

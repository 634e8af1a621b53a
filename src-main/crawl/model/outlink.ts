/** What documents lead to, whatever they are. */
import type { Found } from './scope.ts'

/** An address that a document leads to, and how. */
export interface Lead {
  /** Canonical: the identity of a document. */
  url: string
  kind: Found['kind']
  /** What names the state that it is in, as far as it is known here: the same as last time means that nothing has changed.
   *  Null: its list says nothing of it. */
  version?: string | null
  /** What it says of the document there (name → value): handed down to it, and written beside its capture. */
  says?: Record<string, string>
}

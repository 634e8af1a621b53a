/** The error that ends an export early without a bug in Loupe: one sentence for the user. */
import type { FaultCode } from '../../contract/calls/faults.ts'

export class Refusal extends Error {
  readonly code: FaultCode
  constructor(code: FaultCode, text: string) {
    super(text)
    this.name = 'Refusal'
    this.code = code
  }
}

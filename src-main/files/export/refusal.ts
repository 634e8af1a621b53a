/** What ends an export short of its end and is nobody's mistake: a sentence for a person. */
import type { FaultCode } from '../../contract/calls/faults.ts'

export class Refusal extends Error {
  readonly code: FaultCode
  constructor(code: FaultCode, text: string) {
    super(text)
    this.name = 'Refusal'
    this.code = code
  }
}

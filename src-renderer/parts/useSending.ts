/** Submits a form to the engine: one submission at a time, with the refusal kept until the form is changed. */
import { useState } from 'react'
import type { Fault } from '../../src-main/contract/calls/faults.ts'
import { faultFrom } from '../state/loaded.ts'

interface Sending {
  isSending: boolean
  /** The refusal of the form as it was last submitted; null after `forget`. */
  refusal: Fault | null
  /** To be called when the form is changed. */
  forget(): void
  /** Resolves with undefined when the engine accepted the form. The form stays disabled then, since its dialog closes. */
  send(request: () => Promise<unknown>): Promise<Fault | undefined>
}

export function useSending(): Sending {
  const [isSending, setSending] = useState(false)
  const [refusal, setRefusal] = useState<Fault | null>(null)
  return {
    isSending,
    refusal,
    forget: () => setRefusal(null),
    send: async (request) => {
      setSending(true)
      setRefusal(null)
      try {
        await request()
        return undefined
      } catch (error) {
        const fault = faultFrom(error)
        setRefusal(fault)
        setSending(false)
        return fault
      }
    },
  }
}

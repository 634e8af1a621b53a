/** Sends a form to the engine: once at a time, with the refusal kept until the form is changed. */
import { useState } from 'react'
import type { Fault } from '../../src-main/contract/calls/faults.ts'
import { faultFrom } from '../state/loaded.ts'

interface Sending {
  isSending: boolean
  /** Of the form as it was last sent; null after `forget`. */
  refusal: Fault | null
  /** To be called when the form is changed. */
  forget(): void
  /** Undefined when the engine accepted it. The form stays disabled then, since its dialog closes. */
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

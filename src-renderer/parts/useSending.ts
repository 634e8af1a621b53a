/** Submits a form to the engine and keeps the refusal until the form is changed. */
import { useState } from 'react'
import { useStore } from 'zustand'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Fault } from '../../src-main/contract/calls/faults.ts'
import { faultFrom } from '../state/loaded.ts'

interface Sending {
  /** The form must not be submitted again meanwhile. */
  isSending: boolean
  /** The refusal of the form as it was last submitted; null after `forget`. */
  refusal: Fault | null
  /** To be called when the form is changed. */
  forget(): void
  /** Resolves with undefined when the engine accepted the form. The form stays disabled then, since its dialog closes. */
  send(request: () => Promise<unknown>): Promise<Fault | undefined>
}

export function useSending(): Sending {
  const [sending] = useState(makeSending)
  return useStore(sending)
}

export function makeSending(): StoreApi<Sending> {
  return createStore<Sending>()((set) => ({
    isSending: false,
    refusal: null,
    forget: () => set({ refusal: null }),
    async send(request) {
      set({ isSending: true, refusal: null })
      try {
        await request()
        return undefined
      } catch (error) {
        const refusal = faultFrom(error)
        set({ isSending: false, refusal })
        return refusal
      }
    },
  }))
}

/** The question for the password of the account, which a call of the engine needs again. */
import { createStore, type StoreApi } from 'zustand/vanilla'

export interface PasswordQuestion {
  isAsked: boolean
  /** Resolves with whether the password was right. Calls that ask meanwhile share the question. */
  ask(): Promise<boolean>
  /** Ends the question. */
  answer(isRight: boolean): void
}

export function makePasswordQuestion(): StoreApi<PasswordQuestion> {
  let open: PromiseWithResolvers<boolean> | undefined
  return createStore<PasswordQuestion>()((set) => ({
    isAsked: false,
    ask() {
      open ??= Promise.withResolvers<boolean>()
      set({ isAsked: true })
      return open.promise
    },
    answer(isRight) {
      const { resolve } = open ?? {}
      open = undefined
      set({ isAsked: false })
      resolve?.(isRight)
    },
  }))
}

/** History of a viewer tab, for back and forward. */

export interface TabHistory {
  readonly addresses: readonly string[]
  /** -1 before the first page. */
  readonly at: number
}

export const noHistory: TabHistory = { addresses: [], at: -1 }

/** How the page came to this URL. */
export type Step = 'open' | 'back' | 'forward' | 'reload'

/** The history after the page has arrived at `address`. Going back to a page that redirects arrives elsewhere: the current entry is
 *  corrected, and the others stay. */
export function arrived(history: TabHistory, address: string, step: Step): TabHistory {
  if (step === 'open') {
    if (history.addresses[history.at] === address) return history
    const addresses = [...history.addresses.slice(0, history.at + 1), address]
    return { addresses, at: addresses.length - 1 }
  }
  const at = history.at + { back: -1, forward: 1, reload: 0 }[step]
  return { addresses: history.addresses.with(at, address), at }
}

export function neighbour(history: TabHistory, step: 'back' | 'forward'): string | undefined {
  return history.addresses[history.at + (step === 'back' ? -1 : 1)]
}

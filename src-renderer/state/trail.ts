/** History of a viewer tab, for back and forward. */

export interface Trail {
  readonly addresses: readonly string[]
  /** -1 before the first page. */
  readonly at: number
}

export const noTrail: Trail = { addresses: [], at: -1 }

/** How the page came to this URL. */
export type Step = 'open' | 'back' | 'forward' | 'reload'

/** The history after the page has arrived at `address`. Going back to a page that redirects arrives elsewhere: the current entry is
 *  corrected, and the others stay. */
export function arrived(trail: Trail, address: string, step: Step): Trail {
  if (step === 'open') {
    if (trail.addresses[trail.at] === address) return trail
    const addresses = [...trail.addresses.slice(0, trail.at + 1), address]
    return { addresses, at: addresses.length - 1 }
  }
  const at = trail.at + { back: -1, forward: 1, reload: 0 }[step]
  return { addresses: trail.addresses.with(at, address), at }
}

export function neighbour(trail: Trail, step: 'back' | 'forward'): string | undefined {
  return trail.addresses[trail.at + (step === 'back' ? -1 : 1)]
}

/** Set of inputs with unsaved content, in one dialog or in the whole window. */

export interface UnsavedInputs {
  /** Returns the end of it; calling that again does nothing. */
  hold(): () => void
  isHeld(): boolean
}

/** `outer`: what it lies in, where everything is held too. */
export function unsavedInputs(outer?: UnsavedInputs): UnsavedInputs {
  const held = new Set<symbol>()
  return {
    hold() {
      const one = Symbol('input')
      held.add(one)
      const endOuter = outer?.hold()
      return () => {
        held.delete(one)
        endOuter?.()
      }
    },
    isHeld: () => held.size > 0,
  }
}

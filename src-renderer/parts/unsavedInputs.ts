/** The set of inputs with unsaved content, in one dialog or in the whole window. */

export interface UnsavedInputs {
  /** Adds an input. Returns a function that removes it; calling that again has no effect. */
  hold(): () => void
  isHeld(): boolean
}

/** `outer`: the set of the form around it, which gets every input too. */
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

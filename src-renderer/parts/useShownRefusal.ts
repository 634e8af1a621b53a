/** Moves the focus to the first error after a form was refused and its errors have been rendered. */
import { useEffect, useRef, useState, type RefObject } from 'react'
import { showField, showRefusal } from './showField.ts'

export interface ShownRefusal<Part extends HTMLElement = HTMLFormElement> {
  form: RefObject<Part | null>
  /** Focuses the first of these controls that is enabled, or else the message about the whole form. */
  lead(fields: readonly string[]): void
}

/** `Part` is another element than a form where one form contains another. */
export function useShownRefusal<Part extends HTMLElement = HTMLFormElement>(): ShownRefusal<Part> {
  const form = useRef<Part>(null)
  const [asked, setAsked] = useState<readonly string[] | null>(null)
  useEffect(() => {
    if (asked !== null && !asked.some((field) => showField(form.current, field))) showRefusal(form.current)
  }, [asked])
  // A new list each time, so that the same refusal moves the focus again.
  return { form, lead: (fields) => setAsked([...fields]) }
}

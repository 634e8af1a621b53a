/** After a form was refused, and its complaints are on the page, the person is led to the first of them. */
import { useEffect, useRef, useState, type RefObject } from 'react'
import { showField, showRefusal } from './showField.ts'

export interface ShownRefusal<Part extends HTMLElement = HTMLFormElement> {
  form: RefObject<Part | null>
  /** The first of these controls that can be used; without any the sentence about the whole. */
  lead(fields: readonly string[]): void
}

/** `Part`: of a form within another, which is no form of its own. */
export function useShownRefusal<Part extends HTMLElement = HTMLFormElement>(): ShownRefusal<Part> {
  const form = useRef<Part>(null)
  const [asked, setAsked] = useState<readonly string[] | null>(null)
  useEffect(() => {
    if (asked !== null && !asked.some((field) => showField(form.current, field))) showRefusal(form.current)
  }, [asked])
  // A list of its own each time, so that the same refusal leads there again.
  return { form, lead: (fields) => setAsked([...fields]) }
}

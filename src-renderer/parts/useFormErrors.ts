/** Errors of a form: invalid input, and fields that the engine refused. Each message is shown next to its control, and submitting an
 *  invalid form moves the focus to the first of them. */
import { useState } from 'react'
import type { Fault } from '../../src-main/contract/calls/faults.ts'
import { useShownRefusal, type ShownRefusal } from './useShownRefusal.ts'
import { faultText } from '../words/language.ts'

interface FormErrors<Field extends string, Part extends HTMLElement> extends Pick<ShownRefusal<Part>, 'form'> {
  /** Properties for the control of a field. */
  control(field: Field): { 'data-field': Field; error?: string }
  /** Returns false when the input is invalid, after moving the focus to the first invalid control. */
  isComplete(): boolean
  /** Shows a refusal of the engine: moves the focus to the control it names, or else to the note. */
  leadTo(refusal: Fault): void
  /** The refusal, when it concerns no control. */
  note: Fault | null
}

/** `problems` has every control under the engine's name of its field, in the order of the form, with the error of its present value or
 *  null. They are shown once the user has tried to submit the form. `refusal` is the engine's, for the form as it is filled in now. */
export function useFormErrors<Field extends string, Part extends HTMLElement = HTMLFormElement>(
  problems: Readonly<Record<Field, string | null>>,
  refusal: Fault | null,
): FormErrors<Field, Part> {
  const { form, lead } = useShownRefusal<Part>()
  const [isTried, setTried] = useState(false)
  const isField = (name: unknown): name is Field => typeof name === 'string' && Object.hasOwn(problems, name)
  // Paths look like of.pattern or budgets.3.domain.
  const fieldsOf = (fault: Fault) => fault.fields.flatMap((path) => path.find(isField) ?? [])
  return {
    form,
    control: (field) => {
      const error = (isTried ? problems[field] : null) ?? (refusal && fieldsOf(refusal).includes(field) ? faultText(refusal) : null) // prettier-ignore
      return { 'data-field': field, ...(error !== null && { error }) }
    },
    isComplete: () => {
      setTried(true)
      const wrong = Object.keys(problems).filter((name) => isField(name) && problems[name] !== null)
      if (wrong.length > 0) lead(wrong)
      return wrong.length === 0
    },
    leadTo: (fault) => lead(fieldsOf(fault)),
    note: refusal && fieldsOf(refusal).length === 0 ? refusal : null,
  }
}

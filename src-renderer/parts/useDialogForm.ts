/** The state of a form in a dialog: what is typed, its errors, and how it is saved. */
import { useState, type SubmitEvent } from 'react'
import type { Fault } from '../../src-main/contract/calls/faults.ts'
import { useUnsaved } from './unsaved.tsx'
import { useFormErrors } from './useFormErrors.ts'
import { useSending } from './useSending.ts'

interface DialogFormOptions<Draft, Field extends string> {
  opened: Draft
  /** The error of each control, under the engine's name of its field, in the order of the form. */
  problemsOf: (draft: Draft) => Readonly<Record<Field, string | null>>
  /** Rejects with the engine's `Fault`. */
  save: (draft: Draft) => Promise<unknown>
  onSaved: () => void
}

interface DialogForm<Draft, Field extends string> {
  draft: Draft
  change: (changes: Partial<Draft>) => void
  /** Properties of the form element. */
  form: { ref: React.RefObject<HTMLFormElement | null>; onSubmit: (event: SubmitEvent) => void; noValidate: true }
  control: (field: Field) => { 'data-field': Field; error?: string }
  refusal: Fault | null
  isSending: boolean
}

export function useDialogForm<Draft extends object, Field extends string>(
  options: DialogFormOptions<Draft, Field>,
): DialogForm<Draft, Field> {
  const [opened] = useState(options.opened)
  const [draft, setDraft] = useState(opened)
  const { isSending, refusal, forget, send } = useSending()
  const errors = useFormErrors<Field>(options.problemsOf(draft), refusal)
  const saved = useUnsaved(JSON.stringify(draft) !== JSON.stringify(opened))

  async function submit(): Promise<void> {
    if (isSending || !errors.isComplete()) return
    const fault = await send(() => options.save(draft))
    if (fault) return errors.leadTo(fault)
    saved()
    options.onSaved()
  }

  return {
    draft,
    change: (changes) => {
      setDraft((before) => ({ ...before, ...changes }))
      forget()
    },
    form: {
      ref: errors.form,
      onSubmit: (event) => {
        event.preventDefault()
        void submit()
      },
      noValidate: true,
    },
    control: errors.control,
    refusal: errors.note,
    isSending,
  }
}

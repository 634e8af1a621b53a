/** Shows the control that made a form invalid: opens the folded part around it, scrolls it into view and focuses it. A control is found by
 *  its `data-field`; in a group of controls it is the chosen one. */

const controls = 'input:not([type="hidden"]), textarea, button'

/** Returns false when the form has no such control, or it is disabled. */
export function showField(form: HTMLElement | null, field: string): boolean {
  const named = form?.querySelector<HTMLElement>(`[data-field="${CSS.escape(field)}"]`)
  const control = named?.matches(controls) ? named : (named?.querySelector<HTMLElement>('input:checked') ?? named?.querySelector<HTMLElement>(controls)) // prettier-ignore
  return control !== null && control !== undefined && show(control)
}

/** Shows the message of a refusal that concerns no single control. */
export function showRefusal(form: HTMLElement | null): void {
  const note = [...(form?.querySelectorAll<HTMLElement>('[role="alert"]') ?? [])].at(-1)
  if (!note) return
  note.tabIndex = -1
  show(note)
}

function show(element: HTMLElement): boolean {
  for (let part = element.closest('details'); part; part = part.parentElement?.closest('details') ?? null)
    part.open = true
  element.scrollIntoView({ block: 'center' })
  element.focus({ preventScroll: true })
  return document.activeElement === element
}

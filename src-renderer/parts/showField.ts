/** Leads a person to the control of a form that was refused: what is folded away is opened, the control is scrolled into view
 *  and has the focus. A control is found by its `data-field`; of a group of controls it is the one that is chosen. */

const controls = 'input:not([type="hidden"]), textarea, button'

/** False: the form has no such control that can be used now. */
export function showField(form: HTMLElement | null, field: string): boolean {
  const named = form?.querySelector<HTMLElement>(`[data-field="${CSS.escape(field)}"]`)
  const control = named?.matches(controls) ? named : (named?.querySelector<HTMLElement>('input:checked') ?? named?.querySelector<HTMLElement>(controls)) // prettier-ignore
  return control !== null && control !== undefined && show(control)
}

/** Text of a refusal that is about no control in particular. */
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

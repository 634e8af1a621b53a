/** Pairs the header fields of two HTTP messages, so that changes by the viewer are visible. Pure. */

type Field = readonly [name: string, value: string]

export interface FieldPair {
  /** Name as the archived message spells it, if it has the field. */
  name: string
  archived: string | null
  sent: string | null
}

/** Fields in the order of the archived message, followed by those that are only sent. Where a field occurs several times, the first is
 *  paired with the first. */
export function pairedFields(archived: readonly Field[], sent: readonly Field[]): FieldPair[] {
  const left = sent.map(([name, value]) => ({ name, value }))
  const pairs = archived.map(([name, value]): FieldPair => {
    const at = left.findIndex((field) => field.name.toLowerCase() === name.toLowerCase())
    const [same] = at === -1 ? [] : left.splice(at, 1)
    return { name, archived: value, sent: same?.value ?? null }
  })
  return [...pairs, ...left.map(({ name, value }): FieldPair => ({ name, archived: null, sent: value }))]
}

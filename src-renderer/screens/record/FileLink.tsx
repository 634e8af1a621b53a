/** A file of the archive by its name: its records are behind it. */
import { hrefOf } from '../routes.ts'

export function FileLink({ name }: { name: string }) {
  return (
    <a href={hrefOf({ place: 'record', file: name, offset: null, number: null })} title={name}>
      {name}
    </a>
  )
}

/** The error of a control that has no place for one of its own, such as a whole list. */
import { Input } from '@mantine/core'

export function FieldError({ error }: { error?: string }) {
  return error === undefined ? null : <Input.Error role="alert">{error}</Input.Error>
}

/** The error of what has no place for one of its own: a list as a whole. */
import { Input } from '@mantine/core'

export function FieldError({ error }: { error?: string }) {
  return error === undefined ? null : <Input.Error role="alert">{error}</Input.Error>
}

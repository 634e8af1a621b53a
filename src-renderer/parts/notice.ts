/** Short messages at the edge of the window, about what was done or what failed outside of a form. */
import { notifications } from '@mantine/notifications'
import { translate } from '../words/language.ts'

interface Notice {
  title?: string
  message: string
  /** An error stays until it is closed. */
  isError?: boolean
}

export function showNotice({ title, message, isError = false }: Notice): void {
  notifications.show({
    ...(title !== undefined && { title }),
    message,
    role: isError ? 'alert' : 'status',
    ...(isError && { color: 'red', autoClose: false }),
    closeButtonProps: { 'aria-label': translate('close') },
  })
}

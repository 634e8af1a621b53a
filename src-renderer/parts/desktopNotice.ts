/** Shows a notification of the operating system where the window may (Electron, or a browser that the user has allowed), and otherwise a
 *  message at the edge of the window. */
import { showNotice } from './notice.ts'

interface DesktopNotice {
  title: string
  message: string
  isError: boolean
}

export function showDesktopNotice(notice: DesktopNotice): void {
  const isAllowed = 'Notification' in window && Notification.permission === 'granted'
  // Someone who looks at the window sees the message there.
  if (isAllowed && !document.hasFocus()) new Notification(notice.title, { body: notice.message })
  showNotice(notice)
}

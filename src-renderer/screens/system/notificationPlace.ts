/** Where the subject of a notification is shown. */
import type { Message } from '../../../src-main/contract/words/message.ts'
import type { Route } from '../../routes/routes.ts'

/** Returns the place of a delivery that failed or whose outcome is unknown; null: the notification is about something else. */
export function notificationPlace({ code, values = {} }: Message): Route | null {
  const plan = values['plan']
  const destination = values['destination']
  if (typeof plan !== 'string') return null
  switch (code) {
    // The screen shows the documents first that need a decision: some may be refused, others given up.
    case 'notification.deliveryFailed':
      return { place: 'plan', plan, ...(typeof destination === 'string' && { destination }) }
    case 'notification.deliveryUnknown':
      return { place: 'plan', plan, ...(typeof destination === 'string' && { destination }), state: 'INDEXING' }
    case 'notification.scanFailed':
      return { place: 'plan', plan }
    default:
      return null
  }
}

import { expect, test } from 'vitest'
import { message } from '../../../src-main/contract/words/message.ts'
import { notificationPlace } from './notificationPlace.ts'

const values = { plan: 'museum', destination: 'solr<-via->texts' }

test.each([
  [message('notification.deliveryFailed', values), { place: 'plan', ...values }],
  [message('notification.deliveryUnknown', values), { place: 'plan', ...values, state: 'INDEXING' }],
  [
    message('notification.scanFailed', { plan: 'museum', scanner: 's', problem: message('text', { text: 'gone' }) }),
    { place: 'plan', plan: 'museum' },
  ],
  [message('notification.test'), null],
])('%j leads to %j', (notified, place) => expect(notificationPlace(notified)).toEqual(place))

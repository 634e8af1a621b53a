/** Documents that wait during a login: those of the area that are queued or handed out, and no others. */
import { expect, test } from 'vitest'
import { frontierFixture, page } from '../../frontier/testing/frontierFixture.ts'
import { endAllEvents } from '../../frontier/prerequisites.ts'
import { loginPrerequisites } from './waitingDocuments.ts'

function made() {
  const { store, job, frontier, world, claim: claimFront } = frontierFixture()
  const urls = ['http://a.test/in/1', 'http://a.test/in/2', 'http://a.test/out']
  store.transaction(() => frontier.discover(urls.map((url) => page(url)), world.clock.now())) // prettier-ignore
  const held = loginPrerequisites(store, job)
  for (const url of urls.slice(0, 2)) held.waitIfKnown(url, 0)
  const claim = () => {
    const claimed = claimFront().map(({ url }) => url)
    frontier.release()
    return claimed.filter((url) => urls.includes(url)).toSorted()
  }
  return { store, held, claim, urls }
}

test('documents wait from the beginning of a login to its end', () => {
  const { held, claim, urls } = made()
  expect(claim()).toEqual(urls)
  held.begin(0)
  held.begin(0)
  expect(claim()).toEqual(['http://a.test/out'])
  held.end(0)
  expect(claim()).toEqual(urls)
  held.begin(0)
  expect(claim()).toEqual(['http://a.test/out'])
})

test('each area has its own event, and unknown URLs are ignored', () => {
  const { held, claim, urls } = made()
  held.waitIfKnown('http://unknown.test/', 0)
  held.begin(1)
  expect(claim()).toEqual(urls)
})

test('a kill ends every login', () => {
  const { store, held, claim, urls } = made()
  held.begin(0)
  endAllEvents(store)
  expect(claim()).toEqual(urls)
})

import { expect, test } from 'vitest'
import { forgetHandedOver, keepHandedOver, takeHandedOver } from './token.ts'

function page(hash: string, kept: string | null) {
  const stored = new Map(kept === null ? [] : [['loupe.token', kept]])
  const addresses: string[] = []
  return {
    stored,
    addresses,
    location: { hash, pathname: '/' },
    storage: {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => void stored.set(key, value),
    },
    replaceAddress: (address: string) => void addresses.push(address),
  }
}

test.each([
  { hash: '#token=abc', kept: null, token: 'abc', addresses: ['/'] },
  { hash: '#token=new', kept: 'old', token: 'new', addresses: ['/'] },
  { hash: '#/jobs', kept: 'old', token: 'old', addresses: [] },
  { hash: '#/jobs', kept: null, token: undefined, addresses: [] },
  { hash: '', kept: null, token: undefined, addresses: [] },
])('$hash with $kept kept gives $token', ({ hash, kept, token, addresses }) => {
  const given = page(hash, kept)
  expect(takeHandedOver(given)?.token).toBe(token)
  expect(given.addresses).toEqual(addresses)
  expect(given.stored.get('loupe.token')).toBe(token)
})

test('a window opened by the shell is still known as one after a reload, until it gets a token without that mark', () => {
  const given = page('#token=abc&window=own', null)
  expect(takeHandedOver(given)?.isOwnWindow).toBe(true)
  const later = (hash: string) => takeHandedOver({ ...given, location: { ...given.location, hash } })?.isOwnWindow
  expect(['#/viewer', '#token=abc', '#/viewer', '#token=abc&window=other'].map(later)).toEqual([
    true,
    false,
    false,
    false,
  ])
})

test('the token of an account is known as one after a reload, and forgotten at log-out', () => {
  const given = page('', null)
  keepHandedOver(given.storage, { token: 'abc', isOwnWindow: false, isAccount: true })
  expect(takeHandedOver(given)).toEqual({ token: 'abc', isOwnWindow: false, isAccount: true })
  forgetHandedOver({ removeItem: (key) => void given.stored.delete(key) })
  expect(takeHandedOver(given)).toBeUndefined()
})

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { proxyCredentialsOf } from './proxyCredentials.ts'

const basic = (text: string | Uint8Array) => `Basic ${Buffer.from(text).toString('base64')}`

const check = (what: string, field: string | undefined, expected: [user: string, password: string] | undefined) =>
  it(`${what}: ${field} ${expected ? `is ${expected.join(' and ')}` : 'gives no credentials'}`, () => {
    const [user, password] = expected ?? []
    expect(proxyCredentialsOf(field)).toEqual(expected && { user, password })
  })

check('the example of RFC 7617', 'Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==', ['Aladdin', 'open sesame'])
check('the UTF-8 example of RFC 7617', 'Basic dGVzdDoxMjPCow==', ['test', '123£'])
check('the scheme in lower case', basic('a:b').toLowerCase().replace(/ .*/, ' YTpi'), ['a', 'b'])
check('two spaces', 'Basic  YTpi', ['a', 'b'])
check('without its padding', 'Basic YWE6Yg', ['aa', 'b'])
check('a colon in the password', basic('a:b:c'), ['a', 'b:c'])
check('empty name and password', basic(':'), ['', ''])
check('no password', basic('a:'), ['a', ''])
check('absent', undefined, undefined)
check('empty', '', undefined)
check('the scheme alone', 'Basic', undefined)
check('no colon', basic('ab'), undefined)
check('another scheme', 'Bearer YTpi', undefined)
check('a scheme with the same prefix', 'BasicYTpi', undefined)
check('invalid base64', 'Basic a:b', undefined)
check('base64url', 'Basic YTp_Pz8_', undefined)
check('one character too many', 'Basic YTpiY', undefined)
check('padding that is too long', 'Basic YTpi==', undefined)
check('text after the credentials', 'Basic YTpi, Basic YTpj', undefined)
check('not UTF-8', basic(Buffer.from('caf\xe9:b', 'latin1')), undefined)
check('a line break', basic('a\r\nX: y:b'), undefined)
check('NUL', basic('a\0:b'), undefined)

it('returns the encoded credentials, unless they are malformed', () => {
  const name = fc.string({ unit: 'grapheme' }).filter((text) => !/[:\p{Cc}\p{Cs}]/u.test(text))
  const word = fc.string({ unit: 'grapheme' }).filter((text) => !/[\p{Cc}\p{Cs}]/u.test(text))
  fc.assert(
    fc.property(name, word, (user, password) => {
      expect(proxyCredentialsOf(basic(`${user}:${password}`))).toEqual({ user, password })
    }),
  )
})

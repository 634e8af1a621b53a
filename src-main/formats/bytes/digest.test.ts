import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { digestAlgorithms, digester, parseLabelledDigest, sha1Base32, spellDigest, spellLike } from './digest.ts'

test('verifies digests written by other tools', () => {
  expect(sha1Base32([])).toBe('sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ')
  expect(sha1Base32([Buffer.from('')])).toBe('sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ')
  // RFC 3174, 7.3, test 1.
  expect(digester('sha1').hex()).toBe('da39a3ee5e6b4b0d3255bfef95601890afd80709')
  expect(sha1Base32([Buffer.from('a'), Buffer.from('bc')])).toBe(sha1Base32([Buffer.from('abc')]))
})

test('parses every notation of a digest and writes it back', () => {
  fc.assert(
    fc.property(fc.constantFrom(...digestAlgorithms), fc.uint8Array(), (algorithm, bytes) => {
      const digest = createHash(algorithm).update(bytes).digest()
      const running = digester(algorithm)
      running.update(bytes)
      const base32 = running.base32()
      const expected = { algorithm, hex: digest.toString('hex') }
      for (const text of [
        base32,
        base32.replace(/=+$/, ''),
        base32.toLowerCase(),
        `${algorithm.toUpperCase()}:${digest.toString('hex')}`,
      ])
        expect(parseLabelledDigest(text)).toEqual(expected)
      for (const encoding of ['base64', 'base64url'] as const)
        expect(parseLabelledDigest(`${algorithm}:${digest.toString(encoding)}`)).toEqual(expected)
      expect(spellDigest(expected)).toBe(base32)
      const other = { algorithm, hex: createHash(algorithm).update(bytes).update('x').digest('hex') }
      const spellings = [
        base32,
        base32.toLowerCase(),
        `${algorithm}:${expected.hex}`,
        `${algorithm}:${digest.toString('base64')}`,
      ]
      for (const named of spellings) {
        expect(spellLike(named, expected)).toBe(named)
        expect(parseLabelledDigest(spellLike(named, other))).toEqual(other)
      }
    }),
  )
})

test('rejects text that is not a digest', () => {
  const check = (text: string) => expect(parseLabelledDigest(text), text).toBeUndefined()
  check('')
  check('sha1:')
  check('3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ')
  check('sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBY1')
  check('crc32:00000000')
  check('sha256:da39a3ee5e6b4b0d3255bfef95601890afd80709')
})

test('rejects an adversarial digest without delay', () => {
  expect(parseLabelledDigest(`sha1:${'='.repeat(1_000_000)}x`)).toBeUndefined()
})

import { expect, test } from 'vitest'
import { message } from '../../contract/words/message.ts'
import { finding, findingWith, findingWithin } from './finding.ts'

test('a finding has the severity of its rule and the text of its code', () => {
  expect(finding('recordInside')).toEqual({
    rule: 'recordInside',
    severity: 'error',
    message: { code: 'finding.recordInside' },
  })
  expect(finding('arcUrlBlank', { url: 'http://a b/' }, 7)).toEqual({
    rule: 'arcUrlBlank',
    severity: 'warning',
    message: message('finding.arcUrlBlank', { url: 'http://a b/' }),
    offset: 7,
  })
})

test('the part of a code after the rule only selects the text', () => {
  expect(finding('memberTorn.zstd', 0)).toMatchObject({
    rule: 'memberTorn',
    message: { code: 'finding.memberTorn.zstd' },
    offset: 0,
  })
})

test('rules may share a text, and a finding in a package names its file', () => {
  const shared = findingWith('responseWithoutHttp', message('found.blockEmpty'), 3)
  expect(shared).toMatchObject({ rule: 'responseWithoutHttp', message: { code: 'found.blockEmpty' }, offset: 3 })
  expect(findingWithin('a.wacz', shared).message).toEqual(
    message('found.within', { path: 'a.wacz', finding: message('found.blockEmpty') }),
  )
})

import { expect, test } from 'vitest'
import { pictureName } from './pictureName.ts'

test.each([
  ['http://example.org/a/b?c', '2011-05-03T12:00:20.000Z', 'png', 'example.org-20110503T120020Z.png'],
  ['https://example.org:8443/', '2011-05-03T12:00:20Z', 'pdf', 'example.org-20110503T120020Z.pdf'],
  ['http://[2001:db8::1]/', '2011-05-03T12:00:20Z', 'png', '2001-db8-1-20110503T120020Z.png'],
  ['http://zażółć.example/', '2011-05-03T12:00:20Z', 'png', 'xn--za-6ja4f8n1l.example-20110503T120020Z.png'],
  ['file:///home/a/b.html', '2011-05-03T12:00:20Z', 'png', 'page-20110503T120020Z.png'],
  [`http://${'a.'.repeat(100)}example/`, '1996-12-31T23:59:59Z', 'png', `${'a.'.repeat(60)}-19961231T235959Z.png`],
] as const)('%s of %s as %s', (url, captured, form, name) => {
  expect(pictureName({ url, captured, form })).toBe(name)
})

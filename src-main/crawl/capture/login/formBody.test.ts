/** Bodies and URLs of submitted forms. */
import { expect, test } from 'vitest'
import { formsIn } from '../../../formats/links/forms.ts'
import { filledIn, submissionOf } from './formBody.ts'

function sent(attributes: string): { url: string; text: string; type: string | undefined } {
  const html = `<form ${attributes}><input type=hidden name=t value="a b"><input name=u><input name=p></form>`
  const [form] = formsIn({ url: 'https://a.test/in?x=1', body: Buffer.from(html), charset: undefined })
  if (!form) throw new Error('no form')
  const fields = filledIn(form, { u: 'Jäsøn', p: 'a&b=c"\r\nd', keep: '1' })
  const { url, options } = submissionOf(form, fields, 'BOUNDARY')
  return { url, text: Buffer.from(options.body ?? []).toString(), type: options.fields?.[0]?.[1] }
}

test('a POST form is URL-encoded', () => {
  expect(sent('method=post action="/go?y=2"')).toEqual({
    url: 'https://a.test/go?y=2',
    text: 't=a+b&u=J%C3%A4s%C3%B8n&p=a%26b%3Dc%22%0D%0Ad&keep=1',
    type: 'application/x-www-form-urlencoded',
  })
})

test('a GET form replaces the query of its URL', () => {
  expect(sent('action="/go?y=2"').url).toBe('https://a.test/go?t=a+b&u=J%C3%A4s%C3%B8n&p=a%26b%3Dc%22%0D%0Ad&keep=1')
})

test('a multipart form has CRLF line ends', () => {
  const part = (name: string, value: string) =>
    `--BOUNDARY\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  const { text, type } = sent('method=post enctype=multipart/form-data')
  expect(type).toBe('multipart/form-data; boundary=BOUNDARY')
  expect(text).toBe(
    `${part('t', 'a b')}${part('u', 'Jäsøn')}${part('p', 'a&b=c"\r\nd')}${part('keep', '1')}--BOUNDARY--\r\n`,
  )
})

/** Pages with forms, and what of them would be sent, as rows. */
import { expect, test } from 'vitest'
import { formsIn } from './forms.ts'

const page = 'https://site.example/in/page?x=1'
const read = (html: string) => formsIn({ url: page, body: Buffer.from(html), charset: 'utf-8' })

const rows: [what: string, html: string, sent: string][] = [
  [
    'hidden fields and defaults',
    '<form><input type=hidden name=t value="a&amp;b"><input name=u value=me><input type=password name=p></form>',
    't=a&b u=me p=',
  ],
  [
    'boxes that are ticked',
    '<form><input type=checkbox name=a checked><input type=checkbox name=b><input type=radio name=c value=1><input type=radio name=c value=2 checked></form>',
    'a=on c=2',
  ],
  [
    'the first submit button',
    '<form><input name=u><button name=go value=yes>In</button><input type=submit name=other value=no></form>',
    'u= go=yes',
  ],
  [
    'a button without a name still counts as the first',
    '<form><button>In</button><button name=x>Out</button></form>',
    '',
  ],
  [
    'never files, pictures, resets',
    '<form><input type=file name=a><input type=image name=b><input type=reset name=c><button type=button name=d></form>',
    '',
  ],
  ['disabled fields', '<form><input name=a disabled><input name=b></form>', 'b='],
  [
    'a select, chosen or its first',
    '<form><select name=a><option value=1>One<option value=2 selected>Two</select><select name=b><option> Red  one </option></select></form>',
    'a=2 b=Red one',
  ],
  ['a textarea', '<form><textarea name=a>\nx &lt; y</textarea></form>', 'a=x < y'],
  ['the first of two attributes', '<form><input name=a name=b></form>', 'a='],
]

test.each(rows)('%s', (_what, html, sent) => {
  const [form] = read(html)
  expect(form?.fields.map(({ name, value }) => `${name}=${value}`).join(' ')).toBe(sent)
})

test('reads the address and method of submission', () => {
  const [plain, posted] = read(
    '<base href="/root/"><form></form><form action="../go?a=1" method=POST enctype=Multipart/Form-Data></form>',
  )
  expect(plain).toMatchObject({ action: 'https://site.example/root/', method: 'GET', encoding: 'urlencoded' })
  expect(posted).toMatchObject({ action: 'https://site.example/go?a=1', method: 'POST', encoding: 'multipart' })
  expect(read('<form action=""></form>')[0]?.action).toBe(page)
})

test('lists names of fields that are not submitted, and ignores fields outside forms', () => {
  const [form] = read('<input name=z><form><input type=checkbox name=keep><form><input name=u></form><input name=y>')
  expect([...(form?.names ?? [])]).toEqual(['keep', 'u'])
})

test('an adversarial page takes linear time and bounded memory', () => {
  expect(read('<form>'.repeat(50_000))).toHaveLength(1)
  expect(read('<form></form>'.repeat(50_000))).toHaveLength(200)
  expect(read(`<form>${'<input name=a>'.repeat(50_000)}`)[0]?.fields).toHaveLength(2_000)
  expect(read(`<form>${'<b>'.repeat(100_000)}${'</i>'.repeat(100_000)}`)).toHaveLength(1)
})

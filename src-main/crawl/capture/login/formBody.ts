/** A filled-in form as it crosses the wire (URL Standard 5.2, RFC 7578). Text goes as UTF-8, whatever the page is in. */
import type { FormField, PageForm } from '../../../formats/links/forms.ts'
import type { Asking } from '../fetch/fetch.ts'

export interface Submission {
  url: string
  asking: Asking
}

/** The form's own fields in their order; what is filled in takes the place of the first of its name, or stands at the end. */
export function filledIn(form: PageForm, values: Readonly<Record<string, string>>): FormField[] {
  const left = new Map(Object.entries(values))
  const fields = form.fields.map(({ name, value }) => {
    const filled = left.get(name)
    left.delete(name)
    return { name, value: filled ?? value }
  })
  return [...fields, ...[...left].map(([name, value]) => ({ name, value }))]
}

/** `boundary`: a word that stands in no field, as chance makes them. */
export function submissionOf(form: PageForm, fields: FormField[], boundary: string): Submission {
  const encoded = new URLSearchParams(fields.map(({ name, value }): [string, string] => [name, value])).toString()
  if (form.method === 'GET') {
    const url = new URL(form.action)
    url.search = encoded
    return { url: url.href, asking: {} }
  }
  const isMultipart = form.encoding === 'multipart'
  const type = isMultipart ? `multipart/form-data; boundary=${boundary}` : 'application/x-www-form-urlencoded'
  return {
    url: form.action,
    asking: {
      method: 'POST',
      fields: [['Content-Type', type]],
      body: Buffer.from(isMultipart ? parts(fields, boundary) : encoded, 'utf8'),
    },
  }
}

function parts(fields: FormField[], boundary: string): string {
  const lines = fields.map(
    ({ name, value }) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${escaped(name)}"\r\n\r\n${value.replace(/\r\n?|\n/g, '\r\n')}\r\n`,
  )
  return `${lines.join('')}--${boundary}--\r\n`
}

/** HTML 4.10.21.8: what would end the name. */
function escaped(name: string): string {
  return name.replace(/\r/g, '%0D').replace(/\n/g, '%0A').replace(/"/g, '%22')
}

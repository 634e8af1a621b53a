/** Encodes a filled-in form for sending (URL Standard 5.2, RFC 7578). Text is sent in UTF-8, regardless of the page's encoding. */
import type { FormField, PageForm } from '../../../formats/links/forms.ts'
import type { RequestOptions } from '../fetch/request.ts'

/** The request that submits a form. */
export interface Submission {
  url: string
  options: RequestOptions
}

/** The form's own fields in order. A value replaces that of the first field with its name, or is appended at the end. */
export function filledIn(form: PageForm, values: Readonly<Record<string, string>>): FormField[] {
  const left = new Map(Object.entries(values))
  const fields = form.fields.map(({ name, value }) => {
    const filled = left.get(name)
    left.delete(name)
    return { name, value: filled ?? value }
  })
  return [...fields, ...[...left].map(([name, value]) => ({ name, value }))]
}

/** Builds the request. `boundary` must occur in no field; the caller generates it at random. */
export function submissionOf(form: PageForm, fields: FormField[], boundary: string): Submission {
  const encoded = new URLSearchParams(fields.map(({ name, value }): [string, string] => [name, value])).toString()
  if (form.method === 'GET') {
    const url = new URL(form.action)
    url.search = encoded
    return { url: url.href, options: {} }
  }
  const isMultipart = form.encoding === 'multipart'
  const type = isMultipart ? `multipart/form-data; boundary=${boundary}` : 'application/x-www-form-urlencoded'
  return {
    url: form.action,
    options: {
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

/** Escapes the characters that would end a field name (HTML 4.10.21.8). */
function escaped(name: string): string {
  return name.replace(/\r/g, '%0D').replace(/\n/g, '%0A').replace(/"/g, '%22')
}

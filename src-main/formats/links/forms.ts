/** Finds the forms of a page, with the fields that a browser would send if the user changed nothing (HTML 4.10.21.4,
 *  "constructing the entry list"). It uses only the tokenizer, as the links do, so that hostile pages are read in
 *  linear time. Forms built by scripts and file uploads are not covered. */
import { QuoteType, Tokenizer, type TokenizerCallbacks } from 'htmlparser2'
import { charsetOfPage, decoded } from './charset.ts'
import { lowerCase, withEntities } from './htmlText.ts'

/** A field as it is sent. */
export interface FormField {
  name: string
  value: string
}

/** A form with the values that a browser would send. */
export interface PageForm {
  /** Absolute URL; the page's own address when the form has no action. */
  action: string
  method: 'GET' | 'POST'
  encoding: 'urlencoded' | 'multipart'
  /** Fields to send, in page order, with the first submit button that has a name. */
  fields: FormField[]
  /** Names of all fields, including those that are not sent unchanged (a checkbox that is not ticked). */
  names: ReadonlySet<string>
}

/** Maximum number of forms in a page. Pages of portals have a few dozen; the limit prevents a page of a million form
 *  tags from becoming as many objects. */
const formsMax = 200
/** Maximum number of fields of a form. */
const fieldsMax = 2_000

/** A page whose forms are wanted. */
export interface FormSource {
  url: string
  body: Uint8Array
  charset: string | undefined
}

/** Returns the forms of a page. `charset` is the charset of the Content-Type field. */
export function formsIn({ url, body, charset }: FormSource): PageForm[] {
  const text = decoded(body, charsetOfPage(body, charset))
  return new FormReader(text, url).read()
}

/** A form that is being read. */
interface OpenForm extends PageForm {
  fields: FormField[]
  names: Set<string>
  hasSubmit: boolean
}

/** State of an open `select`: its selected options are sent, otherwise its first. */
interface OpenSelect {
  name: string
  first: string | undefined
  chosen: string[]
}

/** Reads a page by the callbacks of the tokenizer. Fields belong to the form that is open; there is at most one. */
class FormReader implements TokenizerCallbacks {
  readonly #text: string
  readonly #tokenizer: Tokenizer
  #base: string
  readonly #forms: OpenForm[] = []
  #form: OpenForm | undefined
  #tag = ''
  #attributes = new Map<string, string>()
  #attribute = ''
  #value = ''
  #select: OpenSelect | undefined
  /** Set while reading a textarea or an option without `value`, whose value is its text. */
  #inside: { kind: 'textarea'; name: string } | { kind: 'option'; chosen: boolean } | undefined
  #content = ''

  constructor(text: string, url: string) {
    this.#text = text
    this.#base = url
    this.#tokenizer = new Tokenizer({ xmlMode: false, decodeEntities: false }, this)
  }

  read(): PageForm[] {
    this.#tokenizer.write(this.#text)
    this.#tokenizer.end()
    return this.#forms
  }

  isInForeignContext(): boolean {
    return false
  }

  onopentagname(start: number, end: number): void {
    this.#tag = lowerCase(this.#text.slice(start, end))
    this.#attributes = new Map()
  }

  onattribname(start: number, end: number): void {
    this.#attribute = lowerCase(this.#text.slice(start, end))
    this.#value = ''
  }

  onattribdata(start: number, end: number): void {
    this.#value += this.#text.slice(start, end)
  }

  onattribend(quote: QuoteType): void {
    const value = quote === QuoteType.NoValue ? '' : withEntities(this.#value)
    if (!this.#attributes.has(this.#attribute)) this.#attributes.set(this.#attribute, value)
  }

  onopentagend(): void {
    starts[this.#tag]?.call(this, this.#attributes)
  }

  onselfclosingtag(): void {
    this.onopentagend()
  }

  ontext(start: number, end: number): void {
    if (this.#inside) this.#content += this.#text.slice(start, end)
  }

  onclosetag(start: number, end: number): void {
    const name = lowerCase(this.#text.slice(start, end))
    if (name === 'form') this.#form = undefined
    if (name === 'textarea') this.#endContent()
    if (name === 'option') this.#endContent()
    if (name === 'select') this.#endSelect()
  }

  oncdata(): void {}
  oncomment(): void {}
  onprocessinginstruction(): void {}
  ondeclaration(): void {}
  onend(): void {}
  onattribentity(): void {}
  ontextentity(): void {}

  startBase(attributes: Map<string, string>): void {
    this.#base = URL.parse(attributes.get('href') ?? '', this.#base)?.href ?? this.#base
  }

  /** Starts a form. A form inside another form is ignored (HTML 13.2.6.4.7). */
  startForm(attributes: Map<string, string>): void {
    if (this.#form || this.#forms.length >= formsMax) return
    this.#form = {
      action: URL.parse(attributes.get('action')?.trim() ?? '', this.#base)?.href ?? this.#base,
      method: attributes.get('method')?.trim().toLowerCase() === 'post' ? 'POST' : 'GET',
      encoding: attributes.get('enctype')?.trim().toLowerCase() === 'multipart/form-data' ? 'multipart' : 'urlencoded',
      fields: [],
      names: new Set(),
      hasSubmit: false,
    }
    this.#forms.push(this.#form)
  }

  startInput(attributes: Map<string, string>): void {
    const type = attributes.get('type')?.trim().toLowerCase() ?? 'text'
    if (type === 'submit') return this.#submit(attributes)
    const isSent = sentWhenTicked.has(type) ? attributes.has('checked') : !neverSent.has(type)
    const value = attributes.get('value') ?? (sentWhenTicked.has(type) ? 'on' : '')
    this.#field(attributes, isSent ? value : undefined)
  }

  startButton(attributes: Map<string, string>): void {
    if ((attributes.get('type')?.trim().toLowerCase() ?? 'submit') === 'submit') this.#submit(attributes)
  }

  startTextarea(attributes: Map<string, string>): void {
    this.#content = ''
    this.#inside = { kind: 'textarea', name: attributes.get('name') ?? '' }
  }

  startSelect(attributes: Map<string, string>): void {
    const name = attributes.get('name') ?? ''
    this.#select = { name, first: undefined, chosen: [] }
  }

  startOption(attributes: Map<string, string>): void {
    this.#endContent()
    if (!this.#select) return
    const chosen = attributes.has('selected')
    const value = attributes.get('value')
    if (value === undefined) {
      this.#content = ''
      this.#inside = { kind: 'option', chosen }
    } else this.#option(value, chosen)
  }

  /** Adds the first submit button, which a browser uses when Enter is pressed (HTML 4.10.21.2, implicit
   *  submission). */
  #submit(attributes: Map<string, string>): void {
    if (!this.#form || this.#form.hasSubmit) return
    this.#form.hasSubmit = true
    this.#field(attributes, attributes.get('value') ?? '')
  }

  /** Adds a field. `value` undefined: it has a name but is not sent. */
  #field(attributes: Map<string, string>, value: string | undefined): void {
    const name = attributes.get('name') ?? ''
    if (!this.#form || name === '' || attributes.has('disabled') || this.#form.names.size >= fieldsMax) return
    this.#form.names.add(name)
    if (value !== undefined && this.#form.fields.length < fieldsMax) this.#form.fields.push({ name, value })
  }

  #endContent(): void {
    const inside = this.#inside
    this.#inside = undefined
    const text = withEntities(this.#content)
    // HTML 13.2.6.4.7: the first line end in a textarea is not part of it.
    if (inside?.kind === 'textarea') this.#field(new Map([['name', inside.name]]), text.replace(/^\r?\n/, ''))
    if (inside?.kind === 'option') this.#option(text.trim().replace(/\s+/g, ' '), inside.chosen)
  }

  #option(value: string, chosen: boolean): void {
    if (!this.#select) return
    this.#select.first ??= value
    if (chosen) this.#select.chosen.push(value)
  }

  #endSelect(): void {
    this.#endContent()
    const select = this.#select
    this.#select = undefined
    if (!select) return
    const [value] = select.chosen.length > 0 ? select.chosen : [select.first]
    this.#field(new Map([['name', select.name]]), value)
  }
}

/** Types of `input` whose value is not sent without an action of the user. */
const neverSent = new Set(['button', 'reset', 'image', 'file'])
const sentWhenTicked = new Set(['checkbox', 'radio'])

/** What a start tag does. */
const starts: Record<string, ((this: FormReader, attributes: Map<string, string>) => void) | undefined> = {
  base: FormReader.prototype.startBase,
  form: FormReader.prototype.startForm,
  input: FormReader.prototype.startInput,
  button: FormReader.prototype.startButton,
  textarea: FormReader.prototype.startTextarea,
  select: FormReader.prototype.startSelect,
  option: FormReader.prototype.startOption,
}

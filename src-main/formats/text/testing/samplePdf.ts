/** Makes small PDF files for tests. */

/** Returns a PDF with one page per text, in a standard font. `more` goes into its trailer. */
export function samplePdf(title: string, pages: readonly string[], more = ''): Buffer {
  const objects = [
    '<</Type/Catalog/Pages 2 0 R/Lang(de-AT)>>',
    `<</Type/Pages/Kids[${pages.map((_, at) => `${5 + 2 * at} 0 R`).join(' ')}]/Count ${pages.length}>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    `<</Title(${title})>>`,
    ...pages.flatMap((text, at) => {
      const content = `BT /F1 12 Tf 10 100 Td (${text}) Tj ET`
      return [
        `<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents ${6 + 2 * at} 0 R/Resources<</Font<</F1 3 0 R>>>>>>`,
        `<</Length ${content.length}>>stream\n${content}\nendstream\n`,
      ]
    }),
  ]
  const body = objects.map((object, at) => `${at + 1} 0 obj\n${object}\nendobj\n`).join('')
  return Buffer.from(`%PDF-1.4\n${body}trailer<</Root 1 0 R/Info 4 0 R${more}>>`)
}

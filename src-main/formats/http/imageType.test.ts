import fc from 'fast-check'
import { expect, test } from 'vitest'
import { imageType } from './imageType.ts'

test('recognises images by their bytes', () => {
  const check = (text: string, type: string | undefined) =>
    expect(imageType(Buffer.from(text, 'latin1')), JSON.stringify(text)).toBe(type)
  check('\x89PNG\r\n\x1a\n\0\0', 'image/png')
  check('\xff\xd8\xff\xe0', 'image/jpeg')
  check('GIF89a\x01', 'image/gif')
  check('GIF87a\x01', 'image/gif')
  check('RIFF\x10\0\0\0WEBPVP8 ', 'image/webp')
  check('RIFF\x10\0\0\0WAVEfmt ', undefined)
  check('\0\0\0\x20ftypavif', 'image/avif')
  check('\0\0\0\x20ftypmp42', undefined)
  check('BM\x10\0\0\0\0\0\0\0', 'image/bmp')
  check('BMW builds cars', undefined)
  check('\0\0\x01\0\x01\0', 'image/x-icon')
  check('<svg xmlns="http://www.w3.org/2000/svg">', 'image/svg+xml')
  check('\xef\xbb\xbf<?xml version="1.0"?>\n<!-- by me -->\n<svg>', 'image/svg+xml')
  check('<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x" [ <!ENTITY a "b"> ]>\n<svg ', 'image/svg+xml')
  check('<!doctype html><svg>', undefined)
  check('<html><body><svg></svg>', undefined)
  check('<script>1</script><svg>', undefined)
  check('', undefined)
})

test('terminates for any bytes', () => {
  const piece = fc.constantFrom('<', '!', '-', '?', ' ', '>', '[', ']', '<!--', '<?', '<!DOCTYPE svg', 'svg')
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 4096, size: 'max' }), (pieces) => {
      expect(['image/svg+xml', undefined]).toContain(imageType(Buffer.from(pieces.join(''))))
    }),
  )
})

/** Parses the lists of images in `srcset` and `imagesrcset`:
 *
 *      srcset="small.jpg 480w, large.jpg 1200w"
 *      srcset="image.png, image-2x.png 2x" */

/** Returns the addresses of a srcset (HTML 4.8.4.3.10, "parse a srcset attribute"). Addresses may contain commas,
 *  but not at their ends. */
export function srcsetUrls(srcset: string): string[] {
  const found: string[] = []
  let at = 0
  while (at < srcset.length) {
    while (at < srcset.length && isSpaceOrComma(srcset.charCodeAt(at))) at++
    const from = at
    while (at < srcset.length && !isSpace(srcset.charCodeAt(at))) at++
    let end = at
    while (end > from && srcset.charCodeAt(end - 1) === comma) end--
    if (end > from) found.push(srcset.slice(from, end))
    // An address that ends with a comma has no descriptors.
    if (end === at) at = afterDescriptors(srcset, at)
  }
  return found
}

/** Returns the position after the comma that ends the descriptors. A comma in parentheses does not end them. */
function afterDescriptors(srcset: string, from: number): number {
  let parentheses = 0
  for (let at = from; at < srcset.length; at++) {
    const code = srcset.charCodeAt(at)
    if (code === 0x28 /* ( */) parentheses++
    else if (code === 0x29 /* ) */) parentheses = Math.max(0, parentheses - 1)
    else if (code === comma && parentheses === 0) return at + 1
  }
  return srcset.length
}

const comma = 0x2c

/** ASCII white space (Infra Standard). */
function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0c || code === 0x0d
}

function isSpaceOrComma(code: number): boolean {
  return code === comma || isSpace(code)
}

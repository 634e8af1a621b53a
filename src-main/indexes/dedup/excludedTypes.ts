/** Which media types are stored in full although their payload is known. Pure. */

/** Returns a function that tells whether a media type, in any case and without parameters, is one of `types`: `type/subtype`, or `type/*` for
 *  every subtype. */
export function isAmong(types: readonly string[]): (mediaType: string) => boolean {
  const named = new Set(types.map((type) => type.toLowerCase()))
  return (mediaType) => {
    const type = mediaType.toLowerCase()
    return named.has(type) || named.has(`${type.split('/')[0]}/*`) || named.has('*/*')
  }
}

/** The bins of a document, by which its turns are counted and throttled. */

/** Returns the host name, for any scheme and port. A URL without a host is in the bin with the empty name. */
export function hostBins(url: string): readonly string[] {
  return [URL.parse(url)?.hostname ?? '']
}

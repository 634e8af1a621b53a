/** The bins of a document: what its turn is counted and throttled by. */

/** The host name, for any scheme and port. A URL without a host falls into the bin with the empty name. */
export function hostBins(url: string): readonly string[] {
  return [URL.parse(url)?.hostname ?? '']
}

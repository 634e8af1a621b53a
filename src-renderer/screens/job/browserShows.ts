/** Whether browsers show this media type in a frame. They offer other types for saving. */

/** PDF is excluded: a sandboxed frame has no plug-ins. */
const shown =
  /^(?:text\/(?:html|plain|css|xml|javascript|markdown)|image\/(?:png|jpeg|gif|webp|avif|bmp|svg\+xml|x-icon|vnd\.microsoft\.icon)|(?:audio|video)\/[\w.+-]+|application\/(?:json|xml|javascript|xhtml\+xml|(?:rss|atom)\+xml))$/

export function browserShows(mediaType: string | null): boolean {
  return shown.test((mediaType ?? '').split(';')[0]?.trim().toLowerCase() ?? '')
}

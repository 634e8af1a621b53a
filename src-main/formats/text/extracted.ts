/** What the text of a document consists of, and the bounds of all readers of this room. */
import type { Finding } from '../rules/finding.ts'

/** Changes when a reader of this room gives another result for the same bytes: indexes then read their documents again. */
export const extractionVersion = 1

/** How a document is read. `none`: it has no text that people read. */
export type TextForm = 'page' | 'xmlPage' | 'plain' | 'feed' | 'pdf' | 'none'

/** A document whose text is read. */
export interface TextSource {
  url: string
  /** Media type as sent by the server, with or without parameters; empty when missing. */
  mediaType: string
  /** Charset of the Content-Type field. */
  charset: string | undefined
  /** Decoded entity; the caller limits its length. */
  body: Uint8Array
}

/** Text of a document. Fields that it lacks are empty. White space is single blanks, and lines end with LF. */
export interface ExtractedText {
  title: string
  headings: string[]
  /** As the page describes itself. */
  description: string
  /** What a reader sees, without what surrounds it on every page. */
  text: string
  /** As declared, in lower case: `de-at`. Nothing is guessed. */
  language: string
  findings: Finding[]
}

/** Characters of text, at most: a novel has half a million. */
export const textCharactersMax = 1_000_000
/** Characters of a title, a heading, a description. */
export const titleCharactersMax = 1_000
export const descriptionCharactersMax = 4_000
export const headingsMax = 200
/** Characters of a language tag (RFC 5646, 4.4.1). */
const languageCharactersMax = 35

/** Returns a document without text. */
export function withoutText(findings: Finding[] = []): ExtractedText {
  return { title: '', headings: [], description: '', text: '', language: '', findings }
}

/** Returns a declared language as it is compared; empty where it is none. */
export function languageTag(declared: string | undefined): string {
  const tag = declared?.trim().toLowerCase().replaceAll('_', '-') ?? ''
  return tag.length <= languageCharactersMax && /^[a-z]{2,8}(-[a-z0-9]{1,8})*$/.test(tag) ? tag : ''
}

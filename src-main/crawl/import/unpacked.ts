/** What the bringing of a file is asked, and what it may come to. */
import type { Findings } from './findings.ts'
import type { Refused } from './spaceNeeded.ts'

export interface UnpackInput {
  /** Its number in the database. */
  file: number
  path: string
  /** Where in the package it is; '' for the file itself. */
  entry: string
  /** Of the job. */
  folder: string
  software: string
}

export interface UnpackedFile {
  kind: 'file'
  deed: 'kept' | 'converted'
  sha256: string
  /** Of the way here. */
  findings: Findings
}

export interface UnpackedPackage {
  kind: 'package'
  /** What it is, in words: only its contents say whether it is a WACZ. */
  words: string
  /** In the order in which they lie in it. */
  parts: { entry: string; kind: string; bytes: number }[]
  /** Brought as `documentPath` says, numbered from 0. */
  documents: { entry: string; contentType: string }[]
  /** The first pages that it names. */
  pages: string[]
  findings: Findings
}

export type Unpacked = UnpackedFile | UnpackedPackage | Refused

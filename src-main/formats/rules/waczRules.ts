/** Rules of WACZ packages (Webrecorder's specifications: WACZ 1.1.1 of 2021, WACZ 1.2.0, WACZ Signing and
 *  Verification 0.1.0, MultiWACZ 0.1.0, CDXJ 0.1.0). Their sections have no stable numbers, so clauses are given by
 *  title. */
import type { RuleTable } from './rule.ts'

export const waczRules = {
  waczPackageMissing: {
    severity: 'error',
    clause: 'WACZ 1.1.1, datapackage.json',
    means:
      'The package has no manifest, so its content cannot be verified. Its archive files are still read. The oldest packages have webarchive.yaml instead.',
  },
  waczPackageUnreadable: {
    severity: 'error',
    clause: 'WACZ 1.1.1, datapackage.json',
    means:
      'The manifest cannot be read, so the content of the package cannot be verified. Its archive files are still read.',
  },
  waczProfileUnknown: {
    severity: 'warning',
    clause: 'WACZ 1.1.1 and 1.2.0, datapackage.json; MultiWACZ 0.1.0, Manifest',
    means:
      'The profile should be `data-package` (1.1.1), `wacz` (1.2.0) or that of a multi-WACZ. Some programs do not open packages with another profile.',
  },
  waczProfileMissing: {
    severity: 'warning',
    clause: 'WACZ 1.1.1, datapackage.json',
    means: 'The manifest does not state a profile, as in packages written by js-wacz. The package is read as WACZ.',
  },
  waczVersionUnknown: {
    severity: 'warning',
    clause: 'WACZ 1.1.1, datapackage.json',
    means: 'The WACZ version is unknown. The package is read as WACZ 1.1.1.',
  },
  waczVersionMissing: {
    severity: 'warning',
    clause: 'WACZ 1.1.1, datapackage.json',
    means: 'The manifest does not state the WACZ version. The package is read as WACZ 1.1.1.',
  },
  waczFieldInvalid: {
    severity: 'warning',
    clause: 'WACZ 1.1.1, datapackage.json',
    means: 'A field of the manifest is invalid. It is ignored.',
  },
  waczResourceInvalid: {
    severity: 'error',
    clause: 'WACZ 1.1.1, datapackage.json',
    means: 'An entry of the manifest has no path, hash or length, so it verifies nothing.',
  },
  waczResourceAbsent: {
    severity: 'error',
    clause: 'WACZ 1.1.1, datapackage.json',
    means: 'The manifest lists a file that is not in the package. It is lost in this copy.',
  },
  waczResourceHashWrong: {
    severity: 'error',
    clause: 'WACZ 1.1.1, datapackage.json',
    means:
      'The file does not match its hash in the manifest: it was changed later, or listed incorrectly. Compare with another copy.',
  },
  waczResourceLengthWrong: {
    severity: 'error',
    clause: 'WACZ 1.1.1, datapackage.json',
    means: 'The file is longer or shorter than the manifest states. Compare with another copy.',
  },
  waczHashUnknown: {
    severity: 'warning',
    clause: 'WACZ 1.1.1, datapackage.json; Data Package 1.0, hash',
    means: 'The hash uses an unknown format or algorithm, so it cannot be verified.',
  },
  waczFileUnlisted: {
    severity: 'warning',
    clause: 'WACZ 1.1.1, Other files and directories',
    means: 'A file in the package is not listed in the manifest, so nothing verifies it.',
  },
  waczForeignFile: {
    severity: 'warning',
    clause: 'WACZ 1.1.1, Other files and directories',
    means: 'This folder should contain only archives, indexes or page lists. The file is not read as one.',
  },
  waczDigestMissing: {
    severity: 'note',
    clause: 'WACZ 1.1.1, datapackage-digest.json',
    means:
      'The package has no digest of its manifest, so the manifest cannot be verified. The specification recommends it but does not require it.',
  },
  waczDigestUnreadable: {
    severity: 'error',
    clause: 'WACZ 1.1.1, datapackage-digest.json',
    means: 'The file with the digest of the manifest cannot be read, or lacks `path` or `hash`.',
  },
  waczDigestWrong: {
    severity: 'error',
    clause: 'WACZ 1.1.1, datapackage-digest.json',
    means: 'The manifest does not match its digest. What it lists may be incomplete.',
  },
  waczSignatureInvalid: {
    severity: 'error',
    clause: 'WACZ Signing 0.1.0, Signature Data Format',
    means: 'The signature is incomplete or has the form of neither kind of signature. It verifies nothing.',
  },
  waczSignatureWrong: {
    severity: 'error',
    clause: 'WACZ Signing 0.1.0, Verification',
    means: 'The signature does not match this manifest and key. Do not trust what it claims.',
  },
  waczSignedByKey: {
    severity: 'note',
    clause: 'WACZ Signing 0.1.0, Anonymous Signature Validation',
    means:
      'The signature is valid, but the package cannot tell whose key it is. Compare it with the key you were given.',
  },
  waczSignedByDomain: {
    severity: 'note',
    clause: 'WACZ Signing 0.1.0, Domain-Name Identity + Timestamp Validation, 4 to 7',
    means:
      'The signature matches the certificate of the domain and its chain. Loupe does not check whether the root certificate is trusted.',
  },
  waczSignatureUnproven: {
    severity: 'warning',
    clause: 'WACZ Signing 0.1.0, Domain-Name Identity + Timestamp Validation',
    means: 'A part of the signature could not be verified.',
  },
  waczArchiveMissing: {
    severity: 'error',
    clause: 'WACZ 1.1.1, archive',
    means: 'The package contains no archive file, so there are no records to read.',
  },
  waczArchiveNameWrong: {
    severity: 'warning',
    clause: 'WACZ 1.1.1, archive',
    means:
      'Gzip-compressed WARC files should be named .warc.gz, uncompressed ones .warc. Loupe detects the format from the content.',
  },
  waczArchiveDeflated: {
    severity: 'warning',
    clause: 'WACZ 1.1.1, Zip Compression',
    means:
      'The ZIP file compresses the archive file again, so records cannot be read by offset. Export the package again with stored archive files.',
  },
  waczIndexDeflated: {
    severity: 'warning',
    clause: 'WACZ 1.1.1, Zip Compression',
    means: 'The ZIP file compresses the compressed index again, so its blocks cannot be read by offset.',
  },
  waczIndexMissing: {
    severity: 'warning',
    clause: 'WACZ 1.1.1, indexes',
    means: 'The package has no index. Its archive files can be read, but replay programs find nothing.',
  },
  waczIndexLineInvalid: {
    severity: 'error',
    clause: 'CDXJ 0.1.0; WACZ 1.1.1, indexes',
    means: 'A line of the index is not a valid CDXJ line. Its capture cannot be found through the index.',
  },
  waczIndexLineOutside: {
    severity: 'error',
    clause: 'CDXJ 0.1.0; WACZ 1.1.1, indexes',
    means:
      'A line of the index points to a file that does not exist or past the end of a file. Index the archive files again.',
  },
  waczIndexUnsorted: {
    severity: 'warning',
    clause: 'CDXJ 0.1.0, sorted by bytes; WACZ 1.1.1, Processing Model',
    means: 'The index is not sorted, but programs use binary search on it. Some captures will not be found.',
  },
  waczIndexBlockWrong: {
    severity: 'error',
    clause: 'CDXJ 0.1.0, compressed CDXJ; WACZ Signing 0.1.0, Verification of Partially loaded WACZ',
    means: 'The secondary index does not match the blocks of the index, so replay programs read the wrong bytes.',
  },
  waczIndexDamaged: {
    severity: 'error',
    clause: 'RFC 1952, 2.3',
    means:
      'The compressed index is damaged or truncated. The part before the damage was read; index the archive files again.',
  },
  waczPagesMissing: {
    severity: 'warning',
    clause: 'WACZ 1.1.1, pages.jsonl',
    means: 'The package has no page list, so it offers no starting points.',
  },
  waczPagesHeaderMissing: {
    severity: 'warning',
    clause: 'WACZ 1.1.1, pages.jsonl',
    means: 'The first line of a page list should state its format, `json-pages-1.0`.',
  },
  waczPageInvalid: {
    severity: 'warning',
    clause: 'WACZ 1.1.1, pages.jsonl',
    means: 'The page has no URL, or no date as RFC 3339 defines it. It is ignored.',
  },
  waczPartsElsewhere: {
    severity: 'warning',
    clause: 'MultiWACZ 0.1.0, Manifest',
    means:
      'The package refers to packages stored elsewhere. Loupe reads only what is inside; download the others yourself.',
  },
  waczNestedTooDeep: {
    severity: 'error',
    clause: 'Loupe: a package may stand in a package, and that in a third',
    means: 'Packages are nested deeper than Loupe reads. The innermost packages are skipped.',
  },
  waczNestedBomb: {
    severity: 'error',
    clause: 'Loupe: a package within a package is packed at most a hundredfold',
    means: 'A nested package has a compression ratio that only attacks have. It is skipped.',
  },
  packageWrapped: {
    severity: 'error',
    clause: 'Loupe: reads WARC, ARC, WACZ and HAR, plain, gzip or zstd',
    means: 'The file is compressed or packed in another container. Unpack it first.',
  },
} as const satisfies RuleTable

/** Rules of WACZ packages (Webrecorder's specifications: WACZ 1.1.1 of 2021, WACZ 1.2.0, WACZ Signing and
 *  Verification 0.1.0, MultiWACZ 0.1.0, CDXJ 0.1.0). Their sections have no stable numbers, so clauses are given by
 *  title. */
import type { RuleTable } from './rule.ts'

export const waczRules = {
  waczPackageMissing: {
    severity: 'error',
    clause: 'WACZ 1.1.1, datapackage.json',
  },
  waczPackageUnreadable: {
    severity: 'error',
    clause: 'WACZ 1.1.1, datapackage.json',
  },
  waczProfileUnknown: {
    severity: 'warning',
    clause: 'WACZ 1.1.1 and 1.2.0, datapackage.json; MultiWACZ 0.1.0, Manifest',
  },
  waczProfileMissing: {
    severity: 'warning',
    clause: 'WACZ 1.1.1, datapackage.json',
  },
  waczVersionUnknown: {
    severity: 'warning',
    clause: 'WACZ 1.1.1, datapackage.json',
  },
  waczVersionMissing: {
    severity: 'warning',
    clause: 'WACZ 1.1.1, datapackage.json',
  },
  waczFieldInvalid: {
    severity: 'warning',
    clause: 'WACZ 1.1.1, datapackage.json',
  },
  waczResourceInvalid: {
    severity: 'error',
    clause: 'WACZ 1.1.1, datapackage.json',
  },
  waczResourceAbsent: {
    severity: 'error',
    clause: 'WACZ 1.1.1, datapackage.json',
  },
  waczResourceHashWrong: {
    severity: 'error',
    clause: 'WACZ 1.1.1, datapackage.json',
  },
  waczResourceLengthWrong: {
    severity: 'error',
    clause: 'WACZ 1.1.1, datapackage.json',
  },
  waczHashUnknown: {
    severity: 'warning',
    clause: 'WACZ 1.1.1, datapackage.json; Data Package 1.0, hash',
  },
  waczFileUnlisted: {
    severity: 'warning',
    clause: 'WACZ 1.1.1, Other files and directories',
  },
  waczForeignFile: {
    severity: 'warning',
    clause: 'WACZ 1.1.1, Other files and directories',
  },
  waczDigestMissing: {
    severity: 'note',
    clause: 'WACZ 1.1.1, datapackage-digest.json',
  },
  waczDigestUnreadable: {
    severity: 'error',
    clause: 'WACZ 1.1.1, datapackage-digest.json',
  },
  waczDigestWrong: {
    severity: 'error',
    clause: 'WACZ 1.1.1, datapackage-digest.json',
  },
  waczSignatureInvalid: {
    severity: 'error',
    clause: 'WACZ Signing 0.1.0, Signature Data Format',
  },
  waczSignatureWrong: {
    severity: 'error',
    clause: 'WACZ Signing 0.1.0, Verification',
  },
  waczSignedByKey: {
    severity: 'note',
    clause: 'WACZ Signing 0.1.0, Anonymous Signature Validation',
  },
  waczSignedByDomain: {
    severity: 'note',
    clause: 'WACZ Signing 0.1.0, Domain-Name Identity + Timestamp Validation, 4 to 7',
  },
  waczSignatureUnproven: {
    severity: 'warning',
    clause: 'WACZ Signing 0.1.0, Domain-Name Identity + Timestamp Validation',
  },
  waczArchiveMissing: {
    severity: 'error',
    clause: 'WACZ 1.1.1, archive',
  },
  waczArchiveNameWrong: {
    severity: 'warning',
    clause: 'WACZ 1.1.1, archive',
  },
  waczArchiveDeflated: {
    severity: 'warning',
    clause: 'WACZ 1.1.1, Zip Compression',
  },
  waczIndexDeflated: {
    severity: 'warning',
    clause: 'WACZ 1.1.1, Zip Compression',
  },
  waczIndexMissing: {
    severity: 'warning',
    clause: 'WACZ 1.1.1, indexes',
  },
  waczIndexLineInvalid: {
    severity: 'error',
    clause: 'CDXJ 0.1.0; WACZ 1.1.1, indexes',
  },
  waczIndexLineOutside: {
    severity: 'error',
    clause: 'CDXJ 0.1.0; WACZ 1.1.1, indexes',
  },
  waczIndexUnsorted: {
    severity: 'warning',
    clause: 'CDXJ 0.1.0, sorted by bytes; WACZ 1.1.1, Processing Model',
  },
  waczIndexBlockWrong: {
    severity: 'error',
    clause: 'CDXJ 0.1.0, compressed CDXJ; WACZ Signing 0.1.0, Verification of Partially loaded WACZ',
  },
  waczIndexDamaged: {
    severity: 'error',
    clause: 'RFC 1952, 2.3',
  },
  waczPagesMissing: {
    severity: 'warning',
    clause: 'WACZ 1.1.1, pages.jsonl',
  },
  waczPagesHeaderMissing: {
    severity: 'warning',
    clause: 'WACZ 1.1.1, pages.jsonl',
  },
  waczPageInvalid: {
    severity: 'warning',
    clause: 'WACZ 1.1.1, pages.jsonl',
  },
  waczPartsElsewhere: {
    severity: 'warning',
    clause: 'MultiWACZ 0.1.0, Manifest',
  },
  waczNestedTooDeep: {
    severity: 'error',
    clause: 'Loupe: packages are nested at most two levels deep',
  },
  waczNestedBomb: {
    severity: 'error',
    clause: 'Loupe: a package within a package is packed at most a hundredfold',
  },
  packageWrapped: {
    severity: 'error',
    clause: 'Loupe: reads WARC, ARC, WACZ and HAR, plain, gzip or zstd',
  },
} as const satisfies RuleTable

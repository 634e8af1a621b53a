/** Rules of WACZ packages (Webrecorder's specifications: WACZ 1.1.1 of 2021, WACZ 1.2.0, WACZ Signing and Verification 0.1.0,
 *  MultiWACZ 0.1.0, CDXJ 0.1.0). Their sections have titles and no numbers that stay, so the titles stand here. */
import type { RuleTable } from './rule.ts'

export const waczRules = {
  waczPackageMissing: {
    severity: 'error',
    clause: 'WACZ 1.1.1, datapackage.json',
    means:
      'The package has no manifest, so nothing in it can be proven. Its archives are read all the same. The oldest packages had webarchive.yaml instead.',
  },
  waczPackageUnreadable: {
    severity: 'error',
    clause: 'WACZ 1.1.1, datapackage.json',
    means: 'The manifest cannot be read, so nothing in the package can be proven. Its archives are read all the same.',
  },
  waczProfileUnknown: {
    severity: 'warning',
    clause: 'WACZ 1.1.1 and 1.2.0, datapackage.json; MultiWACZ 0.1.0, Manifest',
    means:
      'The profile is `data-package` (1.1.1), `wacz` (1.2.0) or that of a package of packages. With another one some programs do not open the package.',
  },
  waczProfileMissing: {
    severity: 'warning',
    clause: 'WACZ 1.1.1, datapackage.json',
    means: 'The manifest does not say of what profile it is. js-wacz writes such ones; they are read as WACZ.',
  },
  waczVersionUnknown: {
    severity: 'warning',
    clause: 'WACZ 1.1.1, datapackage.json',
    means: 'The package is of a version that is not known; it is read as WACZ 1.1.1.',
  },
  waczVersionMissing: {
    severity: 'warning',
    clause: 'WACZ 1.1.1, datapackage.json',
    means: 'The manifest does not say of which version of WACZ it is; it is read as WACZ 1.1.1.',
  },
  waczFieldInvalid: {
    severity: 'warning',
    clause: 'WACZ 1.1.1, datapackage.json',
    means: 'A field of the manifest is not what it should be. It is left out.',
  },
  waczResourceInvalid: {
    severity: 'error',
    clause: 'WACZ 1.1.1, datapackage.json',
    means: 'A line of the manifest has no path, no hash or no length, so it proves nothing.',
  },
  waczResourceAbsent: {
    severity: 'error',
    clause: 'WACZ 1.1.1, datapackage.json',
    means: 'The manifest lists a file that is not in the package: it is lost in this copy.',
  },
  waczResourceHashWrong: {
    severity: 'error',
    clause: 'WACZ 1.1.1, datapackage.json',
    means: 'The file is not the one that was listed: it was changed afterwards, or listed wrong. Compare another copy.',
  },
  waczResourceLengthWrong: {
    severity: 'error',
    clause: 'WACZ 1.1.1, datapackage.json',
    means: 'The file is longer or shorter than listed. Compare another copy.',
  },
  waczHashUnknown: {
    severity: 'warning',
    clause: 'WACZ 1.1.1, datapackage.json; Data Package 1.0, hash',
    means: 'The hash is in a form or of an algorithm that is not known, so it proves nothing.',
  },
  waczFileUnlisted: {
    severity: 'warning',
    clause: 'WACZ 1.1.1, Other files and directories',
    means: 'A file of the package is not in its manifest, so nothing proves that it belongs to it.',
  },
  waczForeignFile: {
    severity: 'warning',
    clause: 'WACZ 1.1.1, Other files and directories',
    means: 'Only archives, indexes and page lists stand in the folders for them. The file is not read as one.',
  },
  waczDigestMissing: {
    severity: 'note',
    clause: 'WACZ 1.1.1, datapackage-digest.json',
    means: 'Nothing proves that the manifest is the one that was written. The file that does is wanted, not required.',
  },
  waczDigestUnreadable: {
    severity: 'error',
    clause: 'WACZ 1.1.1, datapackage-digest.json',
    means: 'The file that proves the manifest cannot be read, or lacks `path` or `hash`.',
  },
  waczDigestWrong: {
    severity: 'error',
    clause: 'WACZ 1.1.1, datapackage-digest.json',
    means: 'The manifest is not the one that was written. What it lists may be complete and may be not.',
  },
  waczSignatureInvalid: {
    severity: 'error',
    clause: 'WACZ Signing 0.1.0, Signature Data Format',
    means: 'The signature lacks a part, or has the parts of neither form. It proves nothing.',
  },
  waczSignatureWrong: {
    severity: 'error',
    clause: 'WACZ Signing 0.1.0, Verification',
    means: 'The signature was not made over this manifest with this key. Do not trust what it claims.',
  },
  waczSignedByKey: {
    severity: 'note',
    clause: 'WACZ Signing 0.1.0, Anonymous Signature Validation',
    means: 'The signature is right. Whose key it is, the package cannot say: compare it with the one you were given.',
  },
  waczSignedByDomain: {
    severity: 'note',
    clause: 'WACZ Signing 0.1.0, Domain-Name Identity + Timestamp Validation, 4 to 7',
    means:
      'The signature, the certificate of the domain and the chain above it fit each other. Whether its root is trusted is not checked here.',
  },
  waczSignatureUnproven: {
    severity: 'warning',
    clause: 'WACZ Signing 0.1.0, Domain-Name Identity + Timestamp Validation',
    means: 'A part of what the signature claims could not be proven.',
  },
  waczArchiveMissing: {
    severity: 'error',
    clause: 'WACZ 1.1.1, archive',
    means: 'The package holds no archive file, so there is nothing to read in it.',
  },
  waczArchiveNameWrong: {
    severity: 'warning',
    clause: 'WACZ 1.1.1, archive',
    means: 'An archive in gzip form is named `.warc.gz`, another `.warc`. It is read by its bytes, not by its name.',
  },
  waczArchiveDeflated: {
    severity: 'warning',
    clause: 'WACZ 1.1.1, Zip Compression',
    means:
      'The archive is packed once more by the zip, so no record can be found by its place. Export it anew to store it.',
  },
  waczIndexDeflated: {
    severity: 'warning',
    clause: 'WACZ 1.1.1, Zip Compression',
    means: 'The packed index is packed once more by the zip, so no block of it can be found by its place.',
  },
  waczIndexMissing: {
    severity: 'warning',
    clause: 'WACZ 1.1.1, indexes',
    means: 'The package has no index. Its archives can be read; programs that replay it find nothing.',
  },
  waczIndexLineInvalid: {
    severity: 'error',
    clause: 'CDXJ 0.1.0; WACZ 1.1.1, indexes',
    means: 'A line of the index is no CDXJ line. What it was to find cannot be found by it.',
  },
  waczIndexLineOutside: {
    severity: 'error',
    clause: 'CDXJ 0.1.0; WACZ 1.1.1, indexes',
    means: 'A line of the index points at a file that is not there, or behind its end. Index the archive anew.',
  },
  waczIndexUnsorted: {
    severity: 'warning',
    clause: 'CDXJ 0.1.0, sorted by bytes; WACZ 1.1.1, Processing Model',
    means: 'The index is not in order, and it is searched by halves: some captures will not be found.',
  },
  waczIndexBlockWrong: {
    severity: 'error',
    clause: 'CDXJ 0.1.0, compressed CDXJ; WACZ Signing 0.1.0, Verification of Partially loaded WACZ',
    means: 'The secondary index does not fit the blocks of the index, so programs that replay it read the wrong bytes.',
  },
  waczIndexDamaged: {
    severity: 'error',
    clause: 'RFC 1952, 2.3',
    means: 'The packed index is damaged or torn. What came before was read; index the archives anew.',
  },
  waczPagesMissing: {
    severity: 'warning',
    clause: 'WACZ 1.1.1, pages.jsonl',
    means: 'The package has no list of pages, so a reader does not see where to begin.',
  },
  waczPagesHeaderMissing: {
    severity: 'warning',
    clause: 'WACZ 1.1.1, pages.jsonl',
    means: 'The first line of a page list says its format, `json-pages-1.0`.',
  },
  waczPageInvalid: {
    severity: 'warning',
    clause: 'WACZ 1.1.1, pages.jsonl',
    means: 'A page has no address, or no date in the form of RFC 3339. It is left out.',
  },
  waczPartsElsewhere: {
    severity: 'warning',
    clause: 'MultiWACZ 0.1.0, Manifest',
    means: 'The package names packages that lie elsewhere. Only what is inside is read; fetch the others yourself.',
  },
  waczNestedTooDeep: {
    severity: 'error',
    clause: 'Loupe: a package may stand in a package, and that in a third',
    means: 'Packages stand in packages deeper than anybody writes them. The innermost are not read.',
  },
  waczNestedBomb: {
    severity: 'error',
    clause: 'Loupe: a package within a package is packed at most a hundredfold',
    means: 'A package is packed as only attacks are. It is not read.',
  },
  packageWrapped: {
    severity: 'error',
    clause: 'Loupe: reads WARC, ARC, WACZ and HAR, plain, gzip or zstd',
    means: 'The file is packed around what could be read. Unpack it first.',
  },
} as const satisfies RuleTable

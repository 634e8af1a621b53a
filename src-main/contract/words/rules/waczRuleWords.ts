/** What the rules about WACZ packages mean for the owner of a file, and what to do. */
export const waczRuleWords = {
  'rule.waczPackageMissing':
    'The package has no manifest, so its content cannot be verified. Its archive files are still read. The oldest packages have webarchive.yaml instead.',
  'rule.waczPackageUnreadable':
    'The manifest cannot be read, so the content of the package cannot be verified. Its archive files are still read.',
  'rule.waczProfileUnknown':
    'The profile should be `data-package` (1.1.1), `wacz` (1.2.0) or that of a multi-WACZ. Some programs do not open packages with another profile.',
  'rule.waczProfileMissing':
    'The manifest does not state a profile, as in packages written by js-wacz. The package is read as WACZ.',
  'rule.waczVersionUnknown': 'The WACZ version is unknown. The package is read as WACZ 1.1.1.',
  'rule.waczVersionMissing': 'The manifest does not state the WACZ version. The package is read as WACZ 1.1.1.',
  'rule.waczFieldInvalid': 'A field of the manifest is invalid. It is ignored.',
  'rule.waczResourceInvalid': 'An entry of the manifest has no path, hash or length, so it verifies nothing.',
  'rule.waczResourceAbsent': 'The manifest lists a file that is not in the package. It is lost in this copy.',
  'rule.waczResourceHashWrong':
    'The file does not match its hash in the manifest: it was changed later, or listed incorrectly. Compare with another copy.',
  'rule.waczResourceLengthWrong': 'The file is longer or shorter than the manifest states. Compare with another copy.',
  'rule.waczHashUnknown': 'The hash uses an unknown format or algorithm, so it cannot be verified.',
  'rule.waczFileUnlisted': 'A file in the package is not listed in the manifest, so nothing verifies it.',
  'rule.waczForeignFile':
    'This folder should contain only archives, indexes or page lists. The file is not read as one.',
  'rule.waczDigestMissing':
    'The package has no digest of its manifest, so the manifest cannot be verified. The specification recommends it but does not require it.',
  'rule.waczDigestUnreadable': 'The file with the digest of the manifest cannot be read, or lacks `path` or `hash`.',
  'rule.waczDigestWrong': 'The manifest does not match its digest. What it lists may be incomplete.',
  'rule.waczSignatureInvalid':
    'The signature is incomplete or has the form of neither kind of signature. It verifies nothing.',
  'rule.waczSignatureWrong': 'The signature does not match this manifest and key. Do not trust what it claims.',
  'rule.waczSignedByKey':
    'The signature is valid, but the package cannot tell whose key it is. Compare it with the key you were given.',
  'rule.waczSignedByDomain':
    'The signature matches the certificate of the domain and its chain. Loupe does not check whether the root certificate is trusted.',
  'rule.waczSignatureUnproven': 'A part of the signature could not be verified.',
  'rule.waczArchiveMissing': 'The package contains no archive file, so there are no records to read.',
  'rule.waczArchiveNameWrong':
    'Gzip-compressed WARC files should be named .warc.gz, uncompressed ones .warc. Loupe detects the format from the content.',
  'rule.waczArchiveDeflated':
    'The ZIP file compresses the archive file again, so records cannot be read by offset. Export the package again with stored archive files.',
  'rule.waczIndexDeflated':
    'The ZIP file compresses the compressed index again, so its blocks cannot be read by offset.',
  'rule.waczIndexMissing': 'The package has no index. Its archive files can be read, but replay programs find nothing.',
  'rule.waczIndexLineInvalid':
    'A line of the index is not a valid CDXJ line. Its capture cannot be found through the index.',
  'rule.waczIndexLineOutside':
    'A line of the index points to a file that does not exist or past the end of a file. Index the archive files again.',
  'rule.waczIndexUnsorted':
    'The index is not sorted, but programs use binary search on it. Some captures will not be found.',
  'rule.waczIndexBlockWrong':
    'The secondary index does not match the blocks of the index, so replay programs read the wrong bytes.',
  'rule.waczIndexDamaged':
    'The compressed index is damaged or truncated. The part before the damage was read; index the archive files again.',
  'rule.waczPagesMissing': 'The package has no page list, so it offers no starting points.',
  'rule.waczPagesHeaderMissing': 'The first line of a page list should state its format, `json-pages-1.0`.',
  'rule.waczPageInvalid': 'The page has no URL, or no date as RFC 3339 defines it. It is ignored.',
  'rule.waczPartsElsewhere':
    'The package refers to packages stored elsewhere. Loupe reads only what is inside; download the others yourself.',
  'rule.waczNestedTooDeep': 'Packages are nested deeper than Loupe reads. The innermost packages are skipped.',
  'rule.waczNestedBomb': 'A nested package has a compression ratio that only attacks have. It is skipped.',
  'rule.packageWrapped': 'The file is compressed or packed in another container. Unpack it first.',
} as const

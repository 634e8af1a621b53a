/** The switches of a Chromium that shows archived pages. Each was tried with Chromium 156. */

export interface ViewerProfile {
  /** `host:port` of the viewer proxy. */
  proxy: string
  /** base64 of the SHA-256 of the authority's SubjectPublicKeyInfo. */
  spkiSha256: string
  profileFolder: string
  /** What is asked for without the proxy. */
  direct: readonly string[]
}

/** A profile of its own, one way out, the viewer proxy, and trust in the archive's own authority: in this profile, and nowhere else on
 *  the machine. What Loupe starts is started with these, and what it shows for others to type has them. */
export function viewerSwitches({ proxy, spkiSha256, profileFolder, direct }: ViewerProfile): string[] {
  return [
    `--user-data-dir=${profileFolder}`,
    `--proxy-server=http://${proxy}`,
    // Without <-loopback> an archived page could read whatever listens on this machine; only the interface goes direct.
    `--proxy-bypass-list=${['<-loopback>', ...direct].join(';')}`,
    `--ignore-certificate-errors-spki-list=${spkiSha256}`,
    ...insideProxy,
    ...asCaptured,
    ...newProfile,
  ]
}

/** What keeps a Chromium that shows archived pages from going round the proxy. Each was tried: without the second a page reaches
 *  servers of its choice by UDP, also on this machine. Chromium renamed that one, and says nothing of a name that it does not know. */
const insideProxy = [
  '--disable-quic',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
] as const

/** What lets a Chromium of today ask for a page as it was captured. By itself it tries https first where http is asked, and does not
 *  give an https page what it names by http: the page stands there without its styles, though all of them are archived. Browsers
 *  loaded such parts until about 2013. Nobody can listen on the way from the archive. Tried with Chromium 156. */
const asCaptured = [
  '--disable-features=HttpsUpgrades,AutoupgradeMixedContent',
  '--allow-running-insecure-content',
] as const

const newProfile = [
  '--no-first-run',
  '--no-default-browser-check',
  '--password-store=basic',
  // The browser's own errands would arrive at the proxy and be noted as missing pages.
  '--disable-sync',
  '--disable-component-update',
  '--disable-background-networking',
] as const

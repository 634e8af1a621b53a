/** Command-line switches of a Chromium that shows archived pages. Each was tested with Chromium 156. */

/** Parameters of the switches. */
export interface ViewerProfile {
  /** `host:port` of the viewer proxy. */
  proxy: string
  /** base64 of the SHA-256 of the certificate authority's SubjectPublicKeyInfo. */
  spkiSha256: string
  profileFolder: string
  /** Addresses that are requested without the proxy. */
  direct: readonly string[]
}

/**
 * Returns the switches for a separate profile whose only network access is the viewer proxy, and which alone on the machine trusts the
 * archive's certificate authority. Both the browsers that Loupe starts and the commands that it shows to users have them.
 */
export function viewerSwitches({ proxy, spkiSha256, profileFolder, direct }: ViewerProfile): string[] {
  return [
    `--user-data-dir=${profileFolder}`,
    `--proxy-server=http://${proxy}`,
    // Without <-loopback> an archived page could reach any service on this machine; only the interface bypasses the proxy.
    `--proxy-bypass-list=${['<-loopback>', ...direct].join(';')}`,
    `--ignore-certificate-errors-spki-list=${spkiSha256}`,
    ...insideProxy,
    ...asCaptured,
    ...newProfile,
  ]
}

/**
 * Switches that keep a Chromium that shows archived pages from bypassing the proxy. Each was tested: without the second a page reaches
 * servers of its choice by UDP, also on this machine. Chromium renamed that switch, and ignores unknown names silently.
 */
const insideProxy = [
  '--disable-quic',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
] as const

/**
 * Switches that let a current Chromium request a page as it was captured. By default it tries https where http is requested, and does not
 * load the http resources of an https page: the page appears without its styles, though all of them are archived. Browsers loaded such
 * resources until about 2013. There is no network between the archive and the browser on which they could be intercepted. Tested with
 * Chromium 156.
 */
const asCaptured = [
  // Aim…: since Chromium 150 the browser asks Google whether its address bar may offer answers of a language model.
  '--disable-features=HttpsUpgrades,AutoupgradeMixedContent,AimEnabled,AimServerEligibilityEnabled,AimServerRequestOnStartupEnabled',
  '--allow-running-insecure-content',
] as const

const newProfile = [
  '--no-first-run',
  '--no-default-browser-check',
  '--password-store=basic',
  // The browser's own requests would reach the proxy and be recorded as missing pages.
  '--disable-sync',
  '--disable-component-update',
  '--disable-background-networking',
] as const

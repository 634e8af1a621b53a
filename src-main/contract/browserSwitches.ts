/** What keeps a Chromium that shows archived pages from going round the proxy. Each was tried: without the second a page reaches
 *  servers of its choice by UDP, also on this machine. Chromium renamed that one, and says nothing of a name that it does not know. */
export const insideProxy = [
  '--disable-quic',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
] as const

/** What lets a Chromium of today ask for a page as it was captured. By itself it tries https first where http is asked, and does not
 *  give an https page what it names by http: the page stands there without its styles, though all of them are archived. Browsers
 *  loaded such parts until about 2013. Nobody can listen on the way from the archive. Tried with Chromium 156. */
export const asCaptured = [
  '--disable-features=HttpsUpgrades,AutoupgradeMixedContent',
  '--allow-running-insecure-content',
] as const

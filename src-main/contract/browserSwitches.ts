/** What keeps a Chromium that shows archived pages from going round the proxy. Each was tried: without the second a page reaches
 *  servers of its choice by UDP, also on this machine. Chromium renamed that one, and says nothing of a name that it does not know. */
export const insideProxy = [
  '--disable-quic',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
] as const

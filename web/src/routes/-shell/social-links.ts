const networks = [
  { name: 'Facebook', home: 'https://www.facebook.com/', hosts: ['facebook.com', 'fb.com'] },
  { name: 'Twitter', home: 'https://x.com/', hosts: ['twitter.com', 'x.com'] },
  { name: 'Instagram', home: 'https://www.instagram.com/', hosts: ['instagram.com'] },
  { name: 'LinkedIn', home: 'https://www.linkedin.com/', hosts: ['linkedin.com'] },
  { name: 'YouTube', home: 'https://www.youtube.com/', hosts: ['youtube.com', 'youtu.be'] },
] as const

export type Network = (typeof networks)[number]['name']

interface SocialLink {
  name: Network
  address: string
}

/** Links for all five networks: the operator's page if one of `own` is on it, otherwise the network's front page. */
export function socialLinks(own: readonly string[]): SocialLink[] {
  return networks.map(({ name, home, hosts }) => ({
    name,
    address: own.find((address) => hosts.some((host) => isOn(host, address))) ?? home,
  }))
}

function isOn(host: string, address: string): boolean {
  const { hostname } = new URL(address)
  return hostname === host || hostname.endsWith(`.${host}`)
}

// Determines the IP address of a client.
import type { IncomingMessage } from 'node:http'
import { isIPv6 } from 'node:net'

/** Returns the socket's peer or, behind a trusted proxy, the last entry of X-Forwarded-For, which that proxy wrote. */
export function clientAddress(trustProxy: boolean, { headers, socket }: IncomingMessage): string {
  const forwarded = trustProxy ? String(headers['x-forwarded-for'] ?? '') : ''
  return forwarded.split(',').at(-1)?.trim() || (socket.remoteAddress ?? 'unknown')
}

/**
 * Returns the address that limits count by: for IPv6 the /64 network, since one client has all addresses of a network.
 */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address
  if (address.includes('.')) return address.replace(/^.*:/, '')
  const [head = [], tail = []] = address.split('::').map((half) => half.split(':').filter(Boolean))
  const zeros = Array<string>(Math.max(0, 8 - head.length - tail.length)).fill('0')
  const groups = [...head, ...zeros, ...tail].slice(0, 4)
  return groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')
}

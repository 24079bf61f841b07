// Requests to URLs that people enter: their webhooks, and sites that they import from. Such a request must not reach
// this machine or its network. So this file resolves the name, checks the IP address and connects to that address. A
// name that resolves differently the next time (DNS rebinding) has no effect. Runs in Node and in Deno.
import { lookup, resolve4, resolve6 } from 'node:dns/promises'
import { type IncomingMessage, request as requestPlain } from 'node:http'
import { request as requestSecurely } from 'node:https'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { BadInput } from './bad-input.ts'

/** Thrown for a URL that must not be called. */
export class NotOutside extends BadInput {}

export interface OutsideRequest {
  method?: string
  headers?: Record<string, string>
  body?: string
  /** The time limit for the whole request, from resolving the name to the last byte. */
  timeoutMs: number
  /** The maximum size of the answer's body; the rest is not read. */
  maxBytes: number
  /**
   * Hosts of the operator's own network that may be called nevertheless, even without https: `name:port`, separated by
   * commas.
   */
  allowed?: string | undefined
}

export interface OutsideAnswer {
  status: number
  headers: IncomingMessage['headers']
  body: Uint8Array
  /** Whether the body was longer than `maxBytes`. */
  isCut: boolean
}

/** Sends one request, and does not follow redirects. Rejects with `NotOutside` or with the error of the connection. */
export async function fetchOutside(
  address: string,
  { allowed = Deno.env.get('PRIVATE_HOSTS'), ...options }: OutsideRequest,
): Promise<OutsideAnswer> {
  const url = outsideUrl(address, allowed)
  const stop = new AbortController()
  const late = new Promise<never>((_, reject) => {
    stop.signal.addEventListener('abort', () =>
      reject(new Error(`no answer within ${options.timeoutMs / 1000} seconds`)),
    )
  })
  const timer = setTimeout(() => stop.abort(), options.timeoutMs)
  try {
    return await Promise.race([late, fetchFromFirst(url, isAllowed(url, allowed), options, stop.signal)])
  } finally {
    clearTimeout(timer)
    stop.abort()
  }
}

/**
 * Parses the address as a URL. Throws `NotOutside` if the URL must not be called, as far as that is known before its
 * name is resolved.
 */
export function outsideUrl(address: string, allowed: string | undefined): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (!url || !['http:', 'https:'].includes(url.protocol)) throw new NotOutside('address_invalid')
  if (url.username || url.password) throw new NotOutside('address_with_password')
  if (isAllowed(url, allowed)) return url
  if (url.protocol !== 'https:') throw new NotOutside('address_not_https')
  // Lower ports belong to other services, such as mail, which might misread a request.
  if (url.port && Number(url.port) < 1024) throw new NotOutside('address_port_reserved')
  if (isIP(bare(url)) && !isPublic(bare(url))) throw new NotOutside('address_not_public')
  return url
}

/** Returns the host without the brackets around an IPv6 address, which URLs need and sockets do not accept. */
const bare = ({ hostname }: URL) => hostname.replace(/^\[|\]$/g, '')
const portOf = ({ port, protocol }: URL) => port || (protocol === 'https:' ? '443' : '80')
const isAllowed = (url: URL, allowed = '') =>
  allowed.split(',').some((one) => one.trim().toLowerCase() === `${url.hostname}:${portOf(url)}`)

/**
 * Returns whether an IP address is a public one on the internet, not one of this machine, of a local network or for a
 * special purpose.
 */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const ip = ipaddr.parse(address)
  // So far, public IPv6 addresses have been assigned only from this range.
  return ip.range() === 'unicast' && (ip.kind() === 'ipv4' || ip.match(ipaddr.parseCIDR('2000::/3')))
}

async function fetchFromFirst(
  url: URL,
  isPrivateToo: boolean,
  options: OutsideRequest,
  signal: AbortSignal,
): Promise<OutsideAnswer> {
  const addresses = await addressesOf(bare(url), isPrivateToo)
  if (!isPrivateToo && !addresses.every(isPublic)) throw new NotOutside('address_not_public')
  // Try IPv4 first, because many servers have no IPv6 and notice that only when they connect.
  addresses.sort((one, other) => isIP(one) - isIP(other))
  for (const address of addresses) {
    try {
      return await fetchFrom(address, url, options, signal)
    } catch (error) {
      const isLast = address === addresses.at(-1)
      if (isLast || !UNREACHED.has((error as NodeJS.ErrnoException).code ?? '')) throw error
    }
  }
  throw new Error(`${url.hostname} has no address`)
}

/**
 * Resolves a name to IP addresses. The system's resolver knows the names of the operator's network, but it has few
 * threads, which the whole process shares: names whose DNS servers do not answer would block all other lookups. So it
 * is used only for names that the operator has allowed; all other names are resolved by DNS queries.
 */
async function addressesOf(name: string, isPrivateToo: boolean): Promise<string[]> {
  if (isIP(name)) return [name]
  if (isPrivateToo) return (await lookup(name, { all: true })).map(({ address }) => address)
  const found = await Promise.allSettled([resolve4(name), resolve6(name)])
  const addresses = found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
  if (addresses.length === 0 && found[0].status === 'rejected') throw found[0].reason
  return addresses
}

/** Errors that occur before anything is sent, so that another address may be tried. */
const UNREACHED = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL'])

const fetchFrom = (
  address: string,
  url: URL,
  { method = 'GET', headers, body, maxBytes }: OutsideRequest,
  signal: AbortSignal,
) =>
  new Promise<OutsideAnswer>((resolve, reject) => {
    const isSecure = url.protocol === 'https:'
    const sent = (isSecure ? requestSecurely : requestPlain)({
      host: address,
      port: portOf(url),
      path: `${url.pathname}${url.search}`,
      method,
      headers: {
        ...headers,
        host: url.host,
        'accept-encoding': 'identity',
        ...(body !== undefined && { 'content-length': String(new TextEncoder().encode(body).length) }),
      },
      // The certificate must be that of the name. For an IP address, TLS sends no server name.
      ...(isSecure && { servername: isIP(bare(url)) ? '' : url.hostname }),
      agent: false,
      signal,
    })
    sent.on('error', reject)
    sent.on('response', (answer) => {
      const chunks: Uint8Array[] = []
      let bytes = 0
      const end = (isCut: boolean) => {
        const whole = new Uint8Array(Math.min(bytes, maxBytes))
        let at = 0
        for (const chunk of chunks) {
          whole.set(chunk.subarray(0, whole.length - at), at)
          at += chunk.length
        }
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: whole, isCut })
        if (isCut) sent.destroy()
      }
      answer.on('data', (chunk: Uint8Array) => {
        if (bytes > maxBytes) return
        chunks.push(chunk)
        bytes += chunk.length
        if (bytes > maxBytes) end(true)
      })
      answer.on('end', () => end(false))
      answer.on('error', reject)
    })
    sent.end(body)
  })

import { postLoginTarget } from '#domain/post-login-target.ts'

/** The auth service's error code for a link or code that was used, was replaced or has expired. */
export const LINK_OVER = 'otp_expired'

/** The fields after the # of a mailed link (supabase/generate/render-auth-mails.ts). */
export interface MailedLink {
  tokenHash: string
  /** The auth service's name for the kind of verification. */
  type: string
  /** The recipient's e-mail address. */
  email: string
  /** The page the link leads to, on this site. */
  target: string
}

const LINK = /^token_hash=(\w+)&type=(\w+)&email=([^&]*)&to=(.*)$/s

export function readMailedLink(fragment: string, origin: string): MailedLink | null {
  const [, tokenHash, type, email, to = ''] = LINK.exec(fragment) ?? []
  if (!tokenHash || !type) return null
  // A complete URL, as in the mail's text, is not encoded and must not be decoded.
  const address = /^https?:\/\//.test(to) ? to : decoded(to)
  return { tokenHash, type, email: decoded(email), target: targetOf(address, origin) }
}

/** Decodes a field: Supabase encodes fields in the URL of the mail's button, but not in the mail's text. */
function decoded(text = ''): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The page on this site that the link leads to. A URL of /auth-redirect has that page in its `next` parameter. */
function targetOf(address: string, origin: string): string {
  const url = URL.canParse(address) ? new URL(address) : null
  if (url?.origin !== origin) return '/'
  return url.pathname === '/auth-redirect'
    ? postLoginTarget(url.searchParams.get('next'), origin)
    : postLoginTarget(url.pathname + url.search, origin)
}

import { postLoginTarget } from '#domain/post-login-target.ts'

/** The auth service's code for a link or a code that was used, replaced or is too old. */
export const LINK_OVER = 'otp_expired'

/** The fields behind the # of a mailed link (supabase/generate/render-auth-mails.ts). */
export interface MailedLink {
  tokenHash: string
  /** The auth service's name for the kind of verification. */
  type: string
  /** Whom the mail was for. */
  email: string
  /** The page it leads to. */
  target: string
}

const LINK = /^token_hash=(\w+)&type=(\w+)&email=([^&]*)&to=(.*)$/s

export function readMailedLink(fragment: string, origin: string): MailedLink | null {
  const [, tokenHash, type, email, to = ''] = LINK.exec(fragment) ?? []
  if (!tokenHash || !type) return null
  // Its own encoding must stay.
  const address = /^https?:\/\//.test(to) ? to : decoded(to)
  return { tokenHash, type, email: decoded(email), target: targetOf(address, origin) }
}

/** Supabase encodes what it fills into the button's address, not into the text beside it. */
function decoded(text = ''): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The page on this site that the mail was asked for with: /auth-redirect names where the person was going. */
function targetOf(address: string, origin: string): string {
  const url = URL.canParse(address) ? new URL(address) : null
  if (url?.origin !== origin) return '/'
  return url.pathname === '/auth-redirect'
    ? postLoginTarget(url.searchParams.get('next'), origin)
    : postLoginTarget(url.pathname + url.search, origin)
}
